import type { Passkey } from '../records/passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** A new key pair as an authenticator describes it. Bytes are in base64url. */
export interface RegistrationProof {
  credential_id: string
  /** JSON that the browser wrote: the challenge, the origin and the kind of request. */
  client_data: string
  attestation_object: string
}

/** A signature of an authenticator, and the data that it signed. Bytes are in base64url. */
export interface AssertionProof {
  credential_id: string
  client_data: string
  authenticator_data: string
  signature: string
}

/** Why a proof was refused, for the log: it may contain parts of the request. */
export interface Refusal {
  refusal: string
}

/** The parts of a passkey that the authenticator makes. */
export type NewCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'isSynced'>

/** Returns the challenge in what a browser wrote, or an empty text if there is none. */
export function challengeOf({ client_data: data }: { client_data: string }): string {
  const { challenge } = parseClientData(data) ?? {}
  return typeof challenge === 'string' ? challenge : ''
}

/**
 * Verifies that an authenticator made a key pair for this service and verified its user. Whether
 * the challenge is one of ours is not checked here, nor which company made the authenticator.
 */
export async function verifyRegistration(
  proof: RegistrationProof,
  party: RelyingParty,
): Promise<NewCredential | Refusal> {
  if (isEmbedded(proof)) return embedded
  // It takes a tenth of a second to load, and most sign-ins do without it.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { cose, decodeAttestationObject, decodeCredentialPublicKey } = await import(
    '@simplewebauthn/server/helpers'
  )
  const { client_data: clientDataJSON, attestation_object: attestationObject } = proof
  try {
    const decoded = decodeAttestationObject(bytesOf(attestationObject))
    const hasCertificates = decoded.get('attStmt').get('x5c') !== undefined
    if (!needsNoNetwork(decoded.get('fmt'), hasCertificates)) return certified
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...named(proof), response: { clientDataJSON, attestationObject } },
      ...expected(proof, party),
      supportedAlgorithmIDs: [...algorithms],
    })
    if (!verified || !registrationInfo) return { refusal: 'the attestation is wrong' }
    const { credential, credentialBackedUp: isSynced } = registrationInfo
    if (credential.id !== proof.credential_id) return { refusal: 'another credential id is signed' }
    const key = decodeCredentialPublicKey(credential.publicKey)
    const { x, y } = cose.COSEKEYS
    const coordinates = cose.isCOSEPublicKeyEC2(key)
      ? [key.get(x), key.get(y)]
      : cose.isCOSEPublicKeyOKP(key)
        ? [key.get(x)]
        : []
    if (!coordinates.every(isWhole)) return { refusal: 'the public key is cut off' }
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { credentialId: credential.id, publicKey, counter: credential.counter, isSynced }
  } catch (error) {
    return refusalOf(error)
  }
}

/**
 * Verifies that an authenticator signed with a passkey, for this service, and verified its user.
 * Refuses a counter that did not grow: the passkey may have been copied. Whether the challenge is
 * one of ours is not checked here.
 */
export async function verifyAssertion(
  proof: AssertionProof,
  passkey: Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'>,
  party: RelyingParty,
): Promise<Pick<Passkey, 'counter' | 'isSynced'> | Refusal> {
  if (isEmbedded(proof)) return embedded
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { client_data: clientDataJSON, authenticator_data: authenticatorData, signature } = proof
  const { credentialId: id, publicKey: key, counter } = passkey
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...named(proof), response: { clientDataJSON, authenticatorData, signature } },
      ...expected(proof, party),
      credential: { id, publicKey: bytesOf(key), counter },
    })
    if (!verified) return { refusal: 'the signature is wrong' }
    const { newCounter, credentialBackedUp } = authenticationInfo
    return { counter: newCounter, isSynced: credentialBackedUp }
  } catch (error) {
    return refusalOf(error)
  }
}

/** The library takes what is left of a coordinate that is cut off. */
const isWhole = (coordinate: Uint8Array | undefined): boolean => coordinate?.length === 32

/** COSE names of the signatures that a passkey may make: Ed25519, ES256 and RS256. */
export const algorithms = [-8, -7, -257] as const

/**
 * We ask for no attestation. For one with certificates, the library would ask the addresses in them
 * whether they are revoked, and a user can write any address there.
 */
const needsNoNetwork = (format: string, hasCertificates: boolean): boolean =>
  format === 'none' || (format === 'packed' && !hasCertificates)

const certified: Refusal = { refusal: 'the attestation has certificates, which are not asked for' }

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

const named = ({ credential_id: id }: { credential_id: string }) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
})

const expected = (proof: { client_data: string }, { id, origin }: RelyingParty) => ({
  expectedChallenge: challengeOf(proof),
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true,
})

/** A page of another site may show ours in a frame, to have a click that is meant for it. */
const isEmbedded = ({ client_data: data }: { client_data: string }): boolean =>
  parseClientData(data)?.crossOrigin === true

const embedded: Refusal = { refusal: 'the page is in a frame of another site' }

function parseClientData(data: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data, 'base64url').toString('utf8'))
    return typeof parsed === 'object' && parsed !== null
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function refusalOf(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error)
  return { refusal: message.replace(/\p{Cc}/gu, ' ').slice(0, 200) }
}
