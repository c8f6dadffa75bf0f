import { z } from 'zod'

/** The maximum number of providers that a list returns. */
export const providersMax = 200

export const SignInProvider = z
  .object({
    id: z.string().describe('Id of the provider, for `/auth/oidc/{id}/login`'),
    name: z.string().describe('Name to show on a button'),
  })
  .meta({ id: 'SignInProvider' })

export const ProviderPath = z.object({
  id: z.string().max(64).describe('Id of the identity provider'),
})

export const StartQuery = z.object({
  redirect_uri: z.string().min(1).max(2048).meta({
    description:
      'Where the browser is sent after the sign-in: a page of this service, or a port on the user’s machine (`http://127.0.0.1:<port>/…` or `http://[::1]:<port>/…`). The parameter `code` is added to it.',
  }),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 in base64url')
    .optional()
    .meta({
      description:
        'The base64url SHA-256 of a secret of the client that starts the sign-in (RFC 7636). The code can then be exchanged only with that secret.',
    }),
  errors: z.enum(['redirect']).optional().meta({
    description:
      'With `redirect`, a refused sign-in also redirects to `redirect_uri`, with `error` and `error_description`.',
  }),
})

/** Loose, because providers add parameters of their own. */
export const CallbackQuery = z.looseObject({
  state: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .describe('The state that the service sent to the provider'),
  code: z.string().max(4096).optional().describe('Authorization code of the provider'),
  error: z
    .string()
    .max(128)
    .optional()
    .describe('Error code of the provider (RFC 6749, section 4.1.2.1)'),
})

export const ExchangeBody = z
  .strictObject({
    code: z
      .string()
      .min(1)
      .max(128)
      .describe('The parameter `code` of the redirect after the sign-in'),
    code_verifier: z
      .string()
      .min(43)
      .max(128)
      .optional()
      .describe('The secret that `code_challenge` is the hash of'),
    remember_me: z
      .boolean()
      .optional()
      .describe('Keep the session for weeks, without an idle timeout'),
  })
  .meta({ id: 'ExchangeBody' })
