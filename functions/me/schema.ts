import { z } from 'zod'
import { Instant, NewPassword, PresentedPassword } from '../core/access/fields.ts'

export const Me = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    role: z.string(),
    permissions: z.array(z.string()),
    scope_tags: z
      .array(z.string())
      .describe('The scope tags of this credential; empty means every host'),
    mfa_enabled: z.boolean(),
    credential: z.enum(['session', 'api_token']),
  })
  .meta({ id: 'Me' })

export const ChangePasswordBody = z
  .strictObject({ current_password: PresentedPassword, password: NewPassword })
  .meta({ id: 'ChangePasswordBody' })

export const Session = z
  .object({
    id: z.string(),
    created_at: Instant,
    last_used_at: Instant,
    ip: z.string(),
    user_agent: z.string(),
    current: z.boolean().describe('Whether this is the session of the request'),
  })
  .meta({ id: 'Session' })
