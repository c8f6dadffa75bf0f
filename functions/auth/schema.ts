import { z } from 'zod'
import { PresentedCode, PresentedPassword, PresentedUsername } from '../core/access/fields.ts'

export const LoginBody = z
  .strictObject({
    username: PresentedUsername,
    password: PresentedPassword,
    totp_code: PresentedCode.optional(),
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
  user: z.object({ id: z.string(), username: z.string(), role: z.string() }),
}).meta({ id: 'LoginResponse' })

export const RefreshBody = z
  .strictObject({ refresh_token: z.string().min(1).max(512) })
  .meta({ id: 'RefreshBody' })
