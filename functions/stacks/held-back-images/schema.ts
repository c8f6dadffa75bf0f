import { z } from 'zod'
import { StackName, Time } from '../../kit/params.ts'

export const HeldBackPath = z.object({
  name: StackName.describe('Name of the stack'),
  digest: z.string().min(1).max(128).describe('Digest of the image, `sha256:…`'),
})

const digestOf = (digit: string) => `sha256:${digit.repeat(64)}`

export const HeldBackImage = z
  .object({
    service: z.string().describe('The service that it is held back for'),
    image: z.string().describe('The name of the image in its normal form'),
    digest: z.string().describe('The digest that no update of the stack applies'),
    before: z.string().describe('The digest or id of the image that the service ran before'),
    reason: z.string().describe('Why it is held back'),
    log: z
      .array(z.string())
      .describe(
        'The last lines of the log of the service, 20 at most; empty if it could not be read',
      ),
    deployment_id: z.string().describe('Id of the deployment that applied the image'),
    at: Time.describe('Since when it is held back'),
  })
  .meta({
    id: 'HeldBackImage',
    description:
      'An image that was bad in a stack, or that an account undid: its updates do not apply it again',
    examples: [
      {
        service: 'web',
        image: 'docker.io/library/nginx:1.29',
        digest: digestOf('5'),
        before: digestOf('0'),
        reason: 'its health check fails',
        log: ['nginx: [emerg] unknown directive "htp" in /etc/nginx/nginx.conf:3'],
        deployment_id: '019a0000-0000-7000-8000-000000000000',
        at: '2026-11-21T03:02:05.000Z',
      },
    ],
  })
