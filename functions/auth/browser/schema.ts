import { z } from 'zod'
import type { BrowserSession } from '../../core/access/browser-session.ts'
import type { Account } from '../../core/records/account.ts'
import { ExchangeBody } from '../oidc/schema.ts'
import { LoginResponse } from '../schema.ts'

export const BrowserTokens = LoginResponse.omit({ refresh_token: true })
  .extend({
    expires_in: z.int().describe('Seconds for which the access token is valid'),
  })
  .meta({ id: 'BrowserTokens' })

export const BrowserLogin = BrowserTokens.extend({
  browser_key: z
    .string()
    .describe('Second half of the session, sent with each refresh. Keep it in `localStorage`'),
}).meta({ id: 'BrowserLogin' })

export const BrowserExchangeBody = ExchangeBody.required({ code_verifier: true }).meta({
  id: 'BrowserExchangeBody',
})

export const BrowserRefreshBody = z
  .strictObject({
    idle_seconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
      description:
        'How long ago a person used a page of the session: pressed, clicked, typed or scrolled there. The session ends when this reaches `auth.session_idle_minutes`, however often it is refreshed. Without it, the refresh itself counts as use',
    }),
  })
  .meta({ id: 'BrowserRefreshBody', examples: [{ idle_seconds: 42 }] })

/** Returns the response to a refresh. */
export const tokensOf = (
  { accessToken, validFor }: BrowserSession,
  { id, username, role }: Account,
): z.input<typeof BrowserTokens> => ({
  access_token: accessToken,
  expires_in: Math.floor(validFor / 1000),
  user: { id, username, role },
})

/** Returns the response to a login. */
export const loginOf = (
  session: BrowserSession,
  account: Account,
): z.input<typeof BrowserLogin> => ({
  ...tokensOf(session, account),
  browser_key: session.token.key,
})

/** The response in examples. */
export const exampleTokens = {
  access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTk3In0.c2ln',
  expires_in: 900,
  user: { id: '01977d3c-7a00-7000-8000-5e6f7a8b9c0d', username: 'anna', role: 'admin' },
}

export const exampleLogin = {
  ...exampleTokens,
  browser_key: 'csk_c2Vjb25kIGhhbGYgb2YgdGhlIHNlc3Npb24sIDI1NiBi',
}
