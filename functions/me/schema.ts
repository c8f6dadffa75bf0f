import { z } from 'zod'
import {
  EndApiTokens,
  EndPasskeys,
  Instant,
  instant,
  NewPassword,
  PresentedPassword,
} from '../core/access/fields.ts'
import { lastUseOf } from '../core/access/session.ts'
import type { Session as SessionRecord } from '../core/records/account.ts'
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
    end_passkeys: EndPasskeys.optional(),
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

export const SessionPath = z.object({ id: z.string().max(64).describe('Id of the session') })

/** Returns a session in the API's form. `own` is the id of the session of the request. */
export const showSession = (session: SessionRecord, own: string) => ({
  id: session.id,
  created_at: instant(session.createdAt),
  last_used_at: instant(lastUseOf(session)),
  ip: session.ip,
  user_agent: session.userAgent,
  current: session.id === own,
})

export const sessionExample = {
  id: '01977d3c-7a00-7000-8000-0d1f6a2b3c4d',
  created_at: '2026-06-01T12:00:00.000Z',
  last_used_at: '2026-06-01T12:14:00.000Z',
  ip: '203.0.113.7',
  user_agent: 'cli/0.1.0',
  current: true,
}
