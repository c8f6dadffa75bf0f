import { z } from 'zod'
import { Instant, NewPassword, PresentedPassword } from '../core/access/fields.ts'

export const Me = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    role: z.string(),
    permissions: z.array(z.string()),
    scope_tags: z.array(z.string()).describe('What this credential reaches; none means every host'),
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
    current: z.boolean().describe('True for the session that asks'),
  })
  .meta({ id: 'Session' })
