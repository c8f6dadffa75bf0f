import { z } from 'zod'
import {
  Instant,
  instant,
  instantOrNull,
  PresentedCode,
  PresentedPassword,
  ScopeTags,
} from '../core/access/fields.ts'
import type { Account, ApiToken } from '../core/records/account.ts'

/** The maximum number of tokens that a list returns. */
export const apiTokensMax = 200

export const ApiTokenShown = z
  .object({
    id: z.string().describe('Id of the token'),
    name: z.string().describe('Name that its user gave it'),
    prefix: z.string().describe('The first characters of the token'),
    user_id: z.string().describe('Id of its user'),
    username: z.string().describe('Name of its user'),
    role: z.string().describe('The current role of its user'),
    max_role: z
      .string()
      .nullable()
      .describe(
        'Role of its user when the token was made: the token may do only what both roles allow. `null` for a token of an earlier version that was not used since',
      ),
    scope_tags: z.array(z.string()).describe('What the token is limited to'),
    created_at: Instant.describe('When the token was created'),
    expires_at: Instant.nullable().describe('When the token expires; `null` for never'),
    last_used_at: Instant.nullable().describe('Accurate to the minute'),
  })
  .meta({ id: 'ApiToken' })

export const CreatedApiToken = ApiTokenShown.extend({
  token: z.string().describe('The token; it is shown only once'),
}).meta({ id: 'CreatedApiToken' })

export const CreateApiTokenBody = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'must not contain control characters')
      .describe('Name to recognise the token by'),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When the token expires. Without it and `expires_in_days` it never does'),
    expires_in_days: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe('Days until the token expires, instead of `expires_at`'),
    scope_tags: ScopeTags.optional().describe('Empty: the scope that its user has now'),
    password: PresentedPassword.optional().describe(
      'Your password, if you signed in more than 15 minutes ago and have no second factor',
    ),
    totp_code: PresentedCode.optional().describe(
      'A code of your second factor or a recovery code, if you signed in more than 15 minutes ago',
    ),
  })
  .refine((body) => body.expires_at === undefined || body.expires_in_days === undefined, {
    message: 'must have expires_at or expires_in_days, not both',
  })
  .meta({ id: 'CreateApiTokenBody' })

export const ApiTokenPath = z.object({ id: z.string().max(64).describe('Id of the API token') })

/** Returns a token in the API's form, without its secret. */
export function showApiToken(
  token: ApiToken,
  account: Pick<Account, 'id' | 'username' | 'role' | 'scopeTags'>,
) {
  const { rights } = token
  const limits = [token.scopeTags, rights?.scopeTags ?? [], account.scopeTags]
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    user_id: account.id,
    username: account.username,
    role: account.role,
    max_role: rights?.role ?? null,
    scope_tags: limits.find((tags) => tags.length > 0) ?? [],
    created_at: instant(token.createdAt),
    expires_at: instantOrNull(token.expiresAt),
    last_used_at: instantOrNull(token.lastUsedAt),
  }
}

export const apiTokenExample = {
  id: '01977d3c-7a00-7000-8000-1a2b3c4d5e6f',
  name: 'nightly deploys',
  prefix: 'cst_4fW9xZ',
  user_id: '01977d3c-7a00-7000-8000-0a1b2c3d4e5f',
  username: 'deployer',
  role: 'operator',
  max_role: 'operator',
  scope_tags: ['production'],
  created_at: '2026-06-01T12:00:00.000Z',
  expires_at: '2026-08-30T12:00:00.000Z',
  last_used_at: null,
}
