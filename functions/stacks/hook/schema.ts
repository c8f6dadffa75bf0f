import { z } from 'zod'
import { hookRefusals } from '../../core/records/stack-hook.ts'
import { Time } from '../../kit/params.ts'

const RefusedRequest = z
  .object({
    at: Time.describe('When it came'),
    reason: z
      .enum(hookRefusals)
      .describe(
        'It had no secret or signature, a wrong one, a body over 25 MiB, or one that broke off',
      ),
  })
  .meta({
    id: 'RefusedHookRequest',
    description: 'The last request that was refused. One is recorded at most every 10 s.',
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
  accepted_at: Time.nullable().describe(
    'When the last right request came; `null` before the first',
  ),
  last_refused: RefusedRequest.nullable().describe('`null` before the first'),
  last_deployment: HookDeployment.nullable().describe('`null` before the first'),
}

const example = {
  path: '/api/v1/hooks/shop.2Fv0mJk3bq8sYwq1tG7xLQ',
  acts_as: 'ada',
  blocked: null,
  created_at: '2026-11-28T10:00:00.000Z',
  is_waiting: false,
  accepted_at: '2026-11-29T12:03:00.000Z',
  last_refused: { at: '2026-11-29T12:01:00.000Z', reason: 'wrong_secret' as const },
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
        accepted_at: null,
        last_refused: null,
        last_deployment: null,
        secret: 'pB8c1x2Jm4tq0WkGmG0oR5d3yB9o6uQvXkzH7nT1aEw',
      },
    ],
  })
