import { z } from 'zod'
import { EndApiTokens, Instant, NewPassword, PresentedPassword } from '../core/access/fields.ts'
import { CredentialKind } from '../kit/params.ts'

export const Me = z
  .object({
    id: z.string().describe('Id of your account'),
    username: z.string().describe('Name of your account'),
    email: z.string().nullable().describe('Your email address; `null` if it has none'),
    role: z.string().describe('Name of your role'),
    permissions: z
      .array(z.string())
      .describe(
        'Permissions of your role; with an API token only those that you had when it was made',
      ),
    scope_tags: z
      .array(z.string())
      .describe('The scope tags of this credential; empty means every host'),
    has_password: z
      .boolean()
      .describe('`false` if you sign in with an identity provider, and have no password here'),
    mfa_enabled: z.boolean().describe('Whether logins need a second factor'),
    credential: CredentialKind.describe(
      'Whether the request was made with a session or an API token',
    ),
  })
  .meta({ id: 'Me' })

export const ChangePasswordBody = z
  .strictObject({
    current_password: PresentedPassword.describe('Your current password'),
    password: NewPassword.describe('Your new password, at least 8 characters'),
    end_api_tokens: EndApiTokens.optional(),
  })
  .meta({ id: 'ChangePasswordBody' })

export const Session = z
  .object({
    id: z.string().describe('Id of the session'),
    created_at: Instant.describe('When you logged in'),
    last_used_at: Instant.describe('When the session was last renewed'),
    ip: z.string().describe('Address of the client that logged in'),
    user_agent: z.string().describe('`User-Agent` of the client that logged in'),
    current: z.boolean().describe('Whether this is the session of the request'),
  })
  .meta({ id: 'Session' })
