import { z } from 'zod'

/** Bytes that an authenticator or a browser made, in base64url without padding. */
export const signedBytes = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url without padding')

/** Authenticators may use 1023 bytes (WebAuthn, section 4). */
export const CredentialId = signedBytes(1364).describe('`rawId` of the credential, in base64url')

export const ClientData = signedBytes(4096).describe('`clientDataJSON`, in base64url')

/** The signature of an authenticator, as a page gets it of `navigator.credentials.get`. */
export const PasskeyAssertion = z
  .strictObject({
    credential_id: CredentialId,
    client_data: ClientData,
    authenticator_data: signedBytes(2048).describe('`authenticatorData`, in base64url'),
    signature: signedBytes(2048).describe('`signature` of the authenticator, in base64url'),
    user_handle: signedBytes(88).describe('`userHandle`: the account, in base64url'),
  })
  .meta({ id: 'PasskeyAssertion' })
