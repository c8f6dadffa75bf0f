import { z } from 'zod'
import { PasskeyAssertion } from '../../core/access/passkey-fields.ts'

export const PasskeySignIn = z
  .object({
    origin: z
      .string()
      .nullable()
      .describe('The only origin whose pages may use passkeys; `null` if there are none'),
    rp_id: z
      .string()
      .nullable()
      .describe('Host name that passkeys are bound to; `null` if there are none'),
    challenge: z
      .string()
      .nullable()
      .describe(
        'Bytes in base64url that an authenticator signs once, within 5 minutes; `null` if there are no passkeys',
      ),
    obstacle: z
      .enum(['no-address', 'ip-address', 'no-tls'])
      .nullable()
      .describe(
        'Why there are no passkeys: `SERVICE_BASE_URL` is not set, has an IP address, or is plain http. `null` if there are',
      ),
  })
  .meta({ id: 'PasskeySignIn' })

export const PasskeyLoginBody = z
  .strictObject({
    passkey: PasskeyAssertion.describe('What the authenticator signed'),
    remember_me: z
      .boolean()
      .optional()
      .describe('Keep the session for weeks, without an idle timeout'),
  })
  .meta({ id: 'PasskeyLoginBody' })
