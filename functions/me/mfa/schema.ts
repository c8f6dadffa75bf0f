import { z } from 'zod'
import { EndApiTokens, PresentedCode, PresentedPassword } from '../../core/access/fields.ts'

export const BeginMfaBody = z
  .strictObject({ password: PresentedPassword.describe('Your password') })
  .meta({ id: 'BeginMfaBody' })

export const NewMfa = z
  .object({
    secret: z.string().describe('The secret in base32, to enter into an authenticator app'),
    otpauth_url: z.string().describe('The secret as an otpauth link, to show as a QR code'),
  })
  .meta({ id: 'NewMfa' })

export const VerifyMfaBody = z
  .strictObject({ totp_code: PresentedCode, end_api_tokens: EndApiTokens.optional() })
  .meta({ id: 'VerifyMfaBody' })

export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()).max(10).describe('Each is valid once instead of a code'),
  })
  .meta({ id: 'RecoveryCodes' })

export const DisableMfaBody = z
  .strictObject({ password: PresentedPassword.describe('Your password'), totp_code: PresentedCode })
  .meta({ id: 'DisableMfaBody' })
