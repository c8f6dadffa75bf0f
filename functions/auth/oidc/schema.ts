import { z } from 'zod'

/** Most providers that a list returns. */
export const providersMax = 200

export const SignInProvider = z
  .object({ id: z.string(), name: z.string() })
  .meta({ id: 'SignInProvider' })

export const ProviderPath = z.object({ id: z.string().max(64) })

export const StartQuery = z.object({
  redirect_uri: z.string().min(1).max(2048).meta({
    description:
      'Where the sign-in ends: a page of this service, or a port of the own machine (`http://127.0.0.1:<port>/…` or `http://[::1]:<port>/…`). The parameter `code` is added to it.',
  }),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 in base64url')
    .optional()
    .meta({
      description:
        'SHA-256, base64url, of a secret of whoever begins the sign-in (RFC 7636). With it, the code is worth nothing without that secret.',
    }),
  errors: z.enum(['redirect']).optional().meta({
    description:
      'With `redirect`, a refusal leads to `redirect_uri` too, with `error` and `error_description`.',
  }),
})

/** Loose, because providers add parameters of their own. */
export const CallbackQuery = z.looseObject({
  state: z.string().min(1).max(128).optional(),
  code: z.string().max(4096).optional(),
  error: z.string().max(128).optional(),
})

export const ExchangeBody = z
  .strictObject({
    code: z.string().min(1).max(128),
    code_verifier: z
      .string()
      .min(43)
      .max(128)
      .optional()
      .describe('The secret of which `code_challenge` was made'),
    remember_me: z.boolean().optional().describe('Keep the session for weeks, without idle limit'),
  })
  .meta({ id: 'ExchangeBody' })
