import { z } from 'zod'
import { hookRefusals } from '../../core/records/stack-hook.ts'
import { Time } from '../../kit/params.ts'

const HookRequest = z
  .object({
    at: Time.describe('When it came'),
    refused: z
      .enum(hookRefusals)
      .nullable()
      .describe(
        'Why it was refused: it had no secret or signature, a wrong one, or a body over 25 MiB. `null` if it was right',
      ),
  })
  .meta({
    id: 'HookRequest',
    description: 'The last request to the hook. Refused ones are recorded at most every 10 s each.',
  })

const HookDeployment = z
  .object({
    at: Time.describe('When it began, or was given up'),
    deployment_id: z.string().nullable().describe('Id of the deployment; `null` if none began'),
    error: z.string().nullable().describe('Why none began; otherwise `null`'),
  })
  .meta({ id: 'HookDeployment', description: 'What followed the last right request' })

const fields = {
  path: z
    .string()
    .describe('Path of its address: callers send `POST` to it, after the origin of the service'),
  acts_as: z
    .string()
    .nullable()
    .describe('User name of the account that made it: its deployments have the rights of that'),
  blocked: z
    .string()
    .nullable()
    .describe('Why it may deploy nothing, such as a right that the account lost; otherwise `null`'),
  created_at: Time.describe('When it was made'),
  is_waiting: z.boolean().describe('A deployment is asked for that has not begun yet'),
  last_request: HookRequest.nullable().describe('`null` before the first'),
  last_deployment: HookDeployment.nullable().describe('`null` before the first'),
}

const example = {
  path: '/api/v1/hooks/shop.2Fv0mJk3bq8sYwq1tG7xLQ',
  acts_as: 'ada',
  blocked: null,
  created_at: '2026-11-28T10:00:00.000Z',
  is_waiting: false,
  last_request: { at: '2026-11-29T12:03:00.000Z', refused: null },
  last_deployment: {
    at: '2026-11-29T12:03:02.000Z',
    deployment_id: '01978f00-0000-7000-8000-000000000005',
    error: null,
  },
}

export const StackHook = z.object(fields).meta({
  id: 'StackHook',
  description: 'A web address that deploys a stack, without its secret',
  examples: [example],
})

export const StackHookSecret = z
  .object({
    ...fields,
    secret: z.string().describe('The secret that callers sign with. It is shown only here'),
  })
  .meta({
    id: 'StackHookSecret',
    description: 'A hook with its secret',
    examples: [
      {
        ...example,
        last_request: null,
        last_deployment: null,
        secret: 'pB8c1x2Jm4tq0WkGmG0oR5d3yB9o6uQvXkzH7nT1aEw',
      },
    ],
  })
