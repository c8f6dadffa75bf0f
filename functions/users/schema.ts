import { z } from 'zod'
import { NewPassword, ScopeTags, Username } from '../core/access/fields.ts'
import { RoleName } from '../core/access/role.ts'
import { User } from '../core/access/user.ts'
import { acceptResponse } from '../kit/read-only.ts'

/** The maximum number of users that a list returns. */
export const usersMax = 500

const email = z.email().max(254).nullable()

export const UserPath = z.object({ id: z.string().max(64).describe('Id of the user') })

export const CreateUserBody = z
  .strictObject({
    username: Username.describe('Name of the account, unique regardless of case'),
    password: NewPassword.describe('Password of the account, at least 8 characters'),
    role: RoleName.describe('Name of the role'),
    email: email.optional().describe('Email address; `null` for none'),
    scope_tags: ScopeTags.optional().describe('Empty means every host'),
    disabled: z
      .boolean()
      .optional()
      .describe('A disabled user cannot sign in; defaults to `false`'),
  })
  .meta({ id: 'CreateUserBody' })

export const UpdateUserBody = acceptResponse(
  z.strictObject({
    username: Username.optional().describe('Name of the account, unique regardless of case'),
    password: NewPassword.optional().describe(
      'Ends all sessions and API tokens of the user, and deletes the passkeys. Not for a user of an identity provider',
    ),
    role: RoleName.optional().describe('Name of the role'),
    email: email.optional().describe('Email address; `null` for none'),
    scope_tags: ScopeTags.optional().describe(
      'Tags of the hosts that the user may use; empty means every host',
    ),
    disabled: z.boolean().optional().describe('A disabled user cannot sign in'),
  }),
  User,
).meta({ id: 'UpdateUserBody' })

export const userExample = {
  id: '01977d3c-7a00-7000-8000-5e6f7a8b9c0d',
  username: 'anna',
  email: 'anna@example.org',
  role: 'operator',
  scope_tags: ['production'],
  has_password: true,
  mfa_enabled: false,
  has_passkeys: false,
  disabled: false,
  locked_until: null,
  created_at: '2026-06-01T12:00:00.000Z',
  last_login_at: null,
}
