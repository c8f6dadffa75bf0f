import { hkdfSync, randomBytes } from 'node:crypto'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { Failure, internalError, unusable } from '../../functions/core/errors.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import { decryptedPayload, encryptedPayload } from './age-payload.ts'
import { ByteReader } from './pieces.ts'

/**
 * Returns a new identity file in the format of age-keygen: the public key in a comment, and the
 * secret key.
 */
export async function newIdentity(created: Date): Promise<string> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  return `# created: ${created.toISOString()}\n# public key: ${recipient}\n${identity}\n`
}

/** Returns the secret keys in an identity file. */
export function identitiesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** Throws if the text is not a public key (`age1…`). */
export function checkRecipient(recipient: string): void {
  new Encrypter().addRecipient(recipient)
}

/** Returns the public key of a secret key. */
export const recipientOf = (identity: string): Promise<string> => identityToRecipient(identity)

const nonceBytes = 16
/** Bytes. Larger than a header with any realistic number of recipients. */
const headerBytesMax = 64 * 1024

/**
 * Encrypts content as an age file (age-encryption.org/v1) that every recipient can read. Before it
 * yields anything, it checks that the header has a stanza for each recipient and that one of
 * `identities`, if there are any, opens it.
 *
 * @throws 500 if no key could open the file
 */
export async function* encryptArchive(
  content: Bytes,
  recipients: string[],
  identities: string[] = [],
): AsyncGenerator<Buffer, void, void> {
  const { header, fileKey } = await newHeader(recipients)
  await proveReadable(header, { fileKey, identities, recipients })
  const nonce = randomBytes(nonceBytes)
  let start: Uint8Array[] = [header, nonce]
  // The header is yielded with the first piece, so the source is already open and a reader that
  // stops early also closes it.
  for await (const piece of encryptedPayload(content, payloadKey(fileKey, nonce))) {
    yield start.length > 0 ? Buffer.concat([...start, piece]) : piece
    start = []
  }
}

async function proveReadable(
  header: Uint8Array,
  expected: { fileKey: Uint8Array; identities: string[]; recipients: string[] },
): Promise<void> {
  const { fileKey, identities, recipients } = expected
  const parts =
    Buffer.from(header)
      .toString('latin1')
      .match(/^-> X25519 /gm)?.length ?? 0
  if (parts === 0 || parts !== recipients.length) {
    throw internalError(
      'no key could decrypt this backup; check backup-identity.txt and the configured recipients',
    )
  }
  if (identities.length === 0) return
  const opened = await openHeader(Buffer.from(header), identities)
  if (!Buffer.from(opened).equals(fileKey)) {
    throw internalError(
      'the identity in backup-identity.txt could not decrypt this backup; restore the right file',
    )
  }
}

/**
 * Returns a header for the recipients, and its file key. The library generates the key and does not
 * return it, but passes it to each recipient; so the last recipient here only records it and adds
 * no stanza. Behind the header, the nonce and the tag of an empty chunk are cut off.
 */
async function newHeader(recipients: string[]) {
  const encrypter = new Encrypter()
  let fileKey: Uint8Array = new Uint8Array(0)
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = Uint8Array.from(key)
      return []
    },
  })
  const file = await encrypter.encrypt(new Uint8Array(0))
  return { header: file.subarray(0, file.length - nonceBytes - 16), fileKey }
}

/** Yields the content of an age file, decrypted with any of these secret keys. */
export async function* decryptArchive(
  stored: Bytes,
  identities: string[],
): AsyncGenerator<Buffer, void, void> {
  const reader = new ByteReader(stored)
  try {
    const fileKey = await openHeader(await readHeader(reader), identities)
    const nonce = await reader.read(nonceBytes)
    if (nonce.length < nonceBytes) throw cut()
    yield* decryptedPayload(reader.rest(), payloadKey(fileKey, nonce))
  } finally {
    await reader.close()
  }
}

const payloadKey = (fileKey: Uint8Array, nonce: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', 32))

const version = 'age-encryption.org/v1\n'

/** Returns the header, up to the line that begins with `---`. */
async function readHeader(reader: ByteReader): Promise<Buffer> {
  const start = await reader.read(version.length)
  if (!version.startsWith(start.toString('latin1'))) {
    throw unusable('This is not an encrypted archive: it has no age header')
  }
  const parts = [start]
  let line = ''
  for (let bytes = start.length; bytes < headerBytesMax; bytes++) {
    const byte = await reader.read(1)
    if (byte.length === 0) throw cut()
    parts.push(byte)
    if (byte[0] !== 10) line += byte.toString('latin1')
    else if (line.startsWith('---')) return Buffer.concat(parts)
    else line = ''
  }
  throw damaged()
}

async function openHeader(header: Buffer, identities: string[]): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  // Tried last, if no identity matched.
  decrypter.addIdentity({
    unwrapFileKey() {
      throw unusable('The archive is encrypted for a key that is not configured here')
    },
  })
  try {
    return await decrypter.decryptHeader(header)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw damaged(cause)
  }
}

const cut = () => unusable('The archive was cut short')
const damaged = (cause?: unknown) =>
  unusable('The archive was modified: its encryption header is damaged', { cause })
