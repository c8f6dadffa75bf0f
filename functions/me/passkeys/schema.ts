import { z } from 'zod'
import {
  Instant,
  instant,
  instantOrNull,
  PresentedCode,
  PresentedPassword,
} from '../../core/access/fields.ts'
import { ClientData, CredentialId, signedBytes } from '../../core/access/passkey-fields.ts'
import { passkeysMax } from '../../core/access/passkeys.ts'
import type { Passkey as PasskeyRecord } from '../../core/records/passkey.ts'

const PasskeyName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'must not contain control characters')
  .describe('Name to recognise the passkey by')

export const Passkey = z
  .object({
    id: z.string().describe('Id of the passkey'),
    name: z.string().describe('Name that you gave it'),
    synced: z
      .boolean()
      .describe('Whether its authenticator says that it is backed up, such as to other devices'),
    created_at: Instant.describe('When the passkey was added'),
    last_used_at: Instant.nullable().describe('When you last signed in with it; `null` for never'),
  })
  .meta({ id: 'Passkey' })

export const PasskeyList = z.array(Passkey).max(passkeysMax)

export const PasskeyOptionsBody = z
  .strictObject({
    password: PresentedPassword.optional().describe('Your password, if you have no second factor'),
    totp_code: PresentedCode.optional().describe(
      'A code of your second factor or a recovery code, if you have a second factor',
    ),
  })
  .meta({ id: 'PasskeyOptionsBody' })

export const PasskeyCreationOptions = z
  .object({
    challenge: z.string().describe('Bytes in base64url for the authenticator, valid for 5 minutes'),
    rp_id: z.string().describe('Host name of the service, to which the passkey is bound'),
    origin: z.string().describe('The only origin whose pages can add the passkey'),
    user_id: z.string().describe('Your account as the authenticator knows it, in base64url'),
    username: z.string().describe('Name of your account'),
    algorithms: z.array(z.int()).max(3).describe('COSE names of the signatures that are accepted'),
    exclude_credentials: z
      .array(z.string())
      .max(passkeysMax)
      .describe('Credential ids of the passkeys that you have, in base64url'),
  })
  .meta({ id: 'PasskeyCreationOptions' })

export const AddPasskeyBody = z
  .strictObject({
    name: PasskeyName,
    credential_id: CredentialId,
    client_data: ClientData,
    attestation_object: signedBytes(8192).describe('`attestationObject` of the authenticator'),
  })
  .meta({ id: 'AddPasskeyBody' })

export const RenamePasskeyBody = z.strictObject({ name: PasskeyName }).meta({
  id: 'RenamePasskeyBody',
})

export const PasskeyPath = z.object({ id: z.string().max(64).describe('Id of the passkey') })

/** Returns a passkey in the API's form. */
export const showPasskey = (passkey: PasskeyRecord): z.input<typeof Passkey> => ({
  id: passkey.id,
  name: passkey.name,
  synced: passkey.isSynced,
  created_at: instant(passkey.createdAt),
  last_used_at: instantOrNull(passkey.lastUsedAt),
})

export const passkeyExample = {
  id: '01977d3c-7a00-7000-8000-2b3c4d5e6f70',
  name: 'laptop',
  synced: true,
  created_at: '2026-06-01T12:00:00.000Z',
  last_used_at: '2026-06-02T07:30:00.000Z',
}
