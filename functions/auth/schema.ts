import { z } from 'zod'
import { PresentedCode, PresentedPassword, PresentedUsername } from '../core/access/fields.ts'
import { PasskeyAssertion } from '../core/access/passkey-fields.ts'

export const LoginBody = z
  .strictObject({
    username: PresentedUsername.describe('Name of the account'),
    password: PresentedPassword.describe('Password of the account'),
    totp_code: PresentedCode.optional(),
    passkey: PasskeyAssertion.optional().describe(
      'A passkey of the account, which is accepted instead of `totp_code`. Its challenge is that of GET /auth/passkeys',
    ),
    remember_me: z
      .boolean()
      .optional()
      .describe('Keep the session for weeks, without an idle timeout'),
  })
  .meta({ id: 'LoginBody' })

export const TokenPair = z
  .object({
    access_token: z.string().describe('A JWT, valid for 15 minutes'),
    refresh_token: z.string().describe('Valid for one refresh'),
  })
  .meta({ id: 'TokenPair' })

export const LoginResponse = TokenPair.extend({
  user: z
    .object({
      id: z.string().describe('Id of the account'),
      username: z.string().describe('Name of the account'),
      role: z.string().describe('Role of the account'),
    })
    .describe('The account that logged in'),
}).meta({ id: 'LoginResponse' })

export const RefreshBody = z
  .strictObject({
    refresh_token: z
      .string()
      .min(1)
      .max(512)
      .describe('Refresh token of the last login or refresh'),
  })
  .meta({ id: 'RefreshBody' })
