import { z } from 'zod'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import { lockOf } from './attempt.ts'
import { Instant, instant, instantOrNull } from './fields.ts'

/** An account in the form of the API. */
export const User = z
  .object({
    id: z.string().describe('Id of the account'),
    username: z.string().describe('Name of the account'),
    email: z.string().nullable().describe('Email address; `null` for none'),
    role: z.string().describe('Name of the role'),
    scope_tags: z
      .array(z.string())
      .describe('Tags of the hosts that the user may use; empty means every host'),
    has_password: z
      .boolean()
      .describe('`false` for a user of an identity provider, who signs in there'),
    mfa_enabled: z.boolean().describe('Whether logins need a second factor'),
    has_passkeys: z.boolean().describe('Whether the user can sign in with a passkey'),
    disabled: z.boolean().describe('A disabled user cannot sign in'),
    locked_until: Instant.nullable().describe(
      'The end of the lock after failed logins; `null` if there is none',
    ),
    created_at: Instant.describe('When the account was created'),
    last_login_at: Instant.nullable().describe('When the user last logged in; `null` for never'),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

/**
 * Returns the hash that a password must match, or null if the account has no password. One of an
 * identity provider has none, even if an earlier version let an admin set one: it would log in past
 * the provider and its second factor.
 */
export const passwordHashOf = ({ identity, passwordHash }: Account): string | null =>
  identity ? null : passwordHash

/** Returns an account in the form of the API, with the end of an active lock. */
export async function showUser(
  account: Account,
  ports: Needs<'attempts' | 'clock' | 'settings'>,
): Promise<User> {
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    role: account.role,
    scope_tags: account.scopeTags,
    has_password: passwordHashOf(account) !== null,
    mfa_enabled: account.mfaEnabled,
    has_passkeys: passwordHashOf(account) !== null && Boolean(account.passkeySetId),
    disabled: account.disabled,
    locked_until: instantOrNull(await lockOf(account.username, ports)),
    created_at: instant(account.createdAt),
    last_login_at: instantOrNull(account.lastLoginAt),
  }
}

/** Returns a new account that has never been used. */
export function newAccount(
  given: Pick<Account, 'id' | 'username' | 'role' | 'passwordHash'> & Partial<Account>,
  now: number,
): Account {
  return {
    email: null,
    scopeTags: [],
    disabled: false,
    mfaEnabled: false,
    secondFactorId: null,
    passkeySetId: null,
    identity: null,
    createdAt: now,
    lastLoginAt: null,
    sessionsValidFrom: 0,
    keptSessionId: null,
    ...given,
  }
}
