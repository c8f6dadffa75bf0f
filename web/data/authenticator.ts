import { t } from '../text/text.ts'
import type { components } from './api.types.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { RequestError } from './problem.ts'

type Asked = components['schemas']['PasskeyCreationOptions']
type Assertion = components['schemas']['PasskeyAssertion']
type Made = Omit<components['schemas']['AddPasskeyBody'], 'name'>

/** Milliseconds for which a browser asks. The challenge is valid for five minutes. */
const timeout = 4 * 60_000

/** Returns whether this browser has passkeys on this page. */
export const hasAuthenticators = (): boolean =>
  typeof PublicKeyCredential === 'function' && navigator.credentials !== undefined

/**
 * Lets the user make a passkey.
 *
 * @throws RequestError if the user cancels, or the authenticator has a passkey of the account
 */
export async function makePasskey(asked: Asked): Promise<Made> {
  const named = (id: string) => ({ type: 'public-key' as const, id: fromBase64url(id) })
  const credential = await answered(
    navigator.credentials.create({
      publicKey: {
        challenge: fromBase64url(asked.challenge),
        rp: { id: asked.rp_id, name: t.product },
        user: {
          id: fromBase64url(asked.user_id),
          name: asked.username,
          displayName: asked.username,
        },
        pubKeyCredParams: asked.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: asked.exclude_credentials.map(named),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
        timeout,
      },
    }),
  )
  const { clientDataJSON, attestationObject } =
    credential.response as AuthenticatorAttestationResponse
  return {
    credential_id: textOf(credential.rawId),
    client_data: textOf(clientDataJSON),
    attestation_object: textOf(attestationObject),
  }
}

/**
 * Lets the user sign with a passkey of any account.
 *
 * @throws RequestError if the user cancels
 */
export async function signWithPasskey(rpId: string, challenge: string): Promise<Assertion> {
  const credential = await answered(
    navigator.credentials.get({
      publicKey: {
        challenge: fromBase64url(challenge),
        rpId,
        userVerification: 'required',
        timeout,
      },
    }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse
  return {
    credential_id: textOf(credential.rawId),
    client_data: textOf(clientDataJSON),
    authenticator_data: textOf(authenticatorData),
    signature: textOf(signature),
    // Passkeys have one; keys that were made for a second factor alone do not.
    user_handle: userHandle ? textOf(userHandle) : 'AA',
  }
}

const textOf = (bytes: ArrayBuffer): string => toBase64url(new Uint8Array(bytes))

/** Browsers say the same of a user who cancels, of one who is too late, and of no passkey. */
async function answered(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asked
    if (credential) return credential as PublicKeyCredential
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'InvalidStateError') throw refused(t.login.passkeyExists)
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw error
  }
  throw refused(t.login.noPasskey)
}

const refused = (error: string) => new RequestError({ status: 400, error })
