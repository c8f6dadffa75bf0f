import { z } from 'zod'
import { instant, instantOrNull } from '../core/access/fields.ts'
import { isWaiting } from '../core/hooks/hook-record.ts'
import { type Hook, hookRefusals } from '../core/records/hook.ts'
import { prefix } from './location.ts'
import { Time } from './params.ts'

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

/** What the hooks of stacks and of sources have in common. */
export const hookFields = {
  path: z
    .string()
    .describe('Path of its address: callers send `POST` to it, after the origin of the service'),
  acts_as: z
    .string()
    .nullable()
    .describe('User name of the account that made it: what follows has the rights of that'),
  blocked: z
    .string()
    .nullable()
    .describe('Why nothing may follow, such as a right that the account lost; otherwise `null`'),
  created_at: Time.describe('When it was made'),
  is_waiting: z.boolean().describe('A request waits for what follows'),
  accepted_at: Time.nullable().describe(
    'When the last right request came; `null` before the first',
  ),
  last_refused: RefusedRequest.nullable().describe('`null` before the first'),
}

/** The secret, which only those get who make it. */
export const hookSecretField = {
  secret: z.string().describe('The secret that callers sign with. It is shown only here'),
}

export const hookFieldsExample = {
  acts_as: 'ada',
  blocked: null,
  created_at: '2026-11-28T10:00:00.000Z',
  is_waiting: false,
  accepted_at: '2026-11-29T12:03:00.000Z',
  last_refused: { at: '2026-11-29T12:01:00.000Z', reason: 'wrong_secret' as const },
}

export const hookSecretExample = {
  accepted_at: null,
  last_refused: null,
  secret: 'pB8c1x2Jm4tq0WkGmG0oR5d3yB9o6uQvXkzH7nT1aEw',
}

/**
 * Returns these fields of a hook in the API's form.
 *
 * @param segment the path segment of its address
 */
export const hookFieldsView = (hook: Hook, segment: string, blocked: string | null) => ({
  path: `${prefix}/hooks/${segment}`,
  acts_as: hook.actsAs.username,
  blocked,
  created_at: instant(hook.createdAt),
  is_waiting: isWaiting(hook),
  accepted_at: instantOrNull(hook.acceptedAt),
  last_refused: hook.lastRefused && {
    at: instant(hook.lastRefused.at),
    reason: hook.lastRefused.reason,
  },
})
