import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A request for a key pair or a signature, as the API returns it. */
interface Asked {
  challenge: string
  rp_id: string
  origin: string
  user_id?: string
}

/** What an authenticator or a browser does otherwise than it should. */
export interface Deviation {
  challenge?: string
  rpId?: string
  origin?: string
  type?: string
  crossOrigin?: boolean
  /** Says whether the user was there, and was verified. */
  isPresent?: boolean
  isVerified?: boolean
  counter?: number
  /** Signs with another key. */
  key?: KeyObject
  userHandle?: string
  /** The format of the attestation, which has nothing else of it. */
  format?: string
}

/** Bits of the flags of WebAuthn, section 6.1. */
const flags = { present: 0x01, verified: 0x04, mayBeSynced: 0x08, isSynced: 0x10, hasKey: 0x40 }

/**
 * Returns an authenticator with one P-256 key pair, together with the browser around it. It makes
 * attestations of the format `none`. Its counter grows with each use.
 */
export function softwareAuthenticator({ isSynced = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  let [counter, userHandle] = [0, '']

  const dataOf = (asked: Asked, more: Deviation, extra: Uint8Array = Buffer.alloc(0)) => {
    const bits =
      (more.isPresent === false ? 0 : flags.present) |
      (more.isVerified === false ? 0 : flags.verified) |
      (isSynced ? flags.mayBeSynced | flags.isSynced : 0) |
      (extra.length > 0 ? flags.hasKey : 0)
    counter += 1
    const head = Buffer.alloc(5)
    head.writeUInt8(bits, 0)
    head.writeUInt32BE(more.counter ?? counter, 1)
    return Buffer.concat([sha256(more.rpId ?? asked.rp_id), head, extra])
  }

  return {
    credentialId: credentialId.toString('base64url'),
    publicKey: coseOf(publicKey).toString('base64url'),
    /** Answers `navigator.credentials.create`. */
    create(asked: Asked, more: Deviation = {}) {
      userHandle = asked.user_id ?? ''
      const length = Buffer.from([0, credentialId.length])
      const made = Buffer.concat([Buffer.alloc(16), length, credentialId, coseOf(publicKey)])
      return {
        credential_id: credentialId.toString('base64url'),
        client_data: clientData('webauthn.create', asked, more).toString('base64url'),
        attestation_object: attestation(dataOf(asked, more, made), more.format ?? 'none').toString(
          'base64url',
        ),
      }
    },
    /** Sets the account of the key pair, for a test that does without `create`. */
    belongTo(handle: string) {
      userHandle = handle
    },
    /** Answers `navigator.credentials.get`. */
    get(asked: Asked, more: Deviation = {}) {
      const client = clientData('webauthn.get', asked, more)
      const data = dataOf(asked, more)
      const signature = sign(
        'sha256',
        Buffer.concat([data, sha256(client)]),
        more.key ?? privateKey,
      )
      return {
        credential_id: credentialId.toString('base64url'),
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: signature.toString('base64url'),
        user_handle: more.userHandle ?? userHandle,
      }
    },
  }
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest()

const clientData = (type: string, asked: Asked, more: Deviation) =>
  Buffer.from(
    JSON.stringify({
      type: more.type ?? type,
      challenge: more.challenge ?? asked.challenge,
      origin: more.origin ?? asked.origin,
      crossOrigin: more.crossOrigin ?? false,
    }),
  )

/** Returns a P-256 key as COSE (RFC 9053, section 7.1.1). */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

/** Returns the CBOR of `{fmt, attStmt: {}, authData}`. */
function attestation(data: Uint8Array, format: string): Buffer {
  const length = Buffer.from([0x58, data.length])
  const text = (word: string) => Buffer.from([0x60 + word.length, ...Buffer.from(word)])
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[text('fmt'), text(format), text('attStmt'), Buffer.from([0xa0])],
    ...[text('authData'), length, data],
  ])
}
