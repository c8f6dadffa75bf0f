import { X509Certificate } from 'node:crypto'
import { invalid } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { SourceFailure } from '../ports/source-reader.ts'
import type { AgeKey, SourceAddress, SourceKeyPair } from '../records/source-address.ts'
import { parsePlace, plainUrl } from './git-place.ts'

/** How a source is reached, which decides what signs in. */
type Way = 'registry' | 'https' | 'ssh'

/** What a request says of how a source is read; undefined says nothing. */
export interface AccessFields {
  username?: string | null | undefined
  password?: string | undefined
  certificateAuthority?: string | null | undefined
  /** Null: a new key is made. */
  privateKey?: string | null | undefined
  hostKey?: string | null | undefined
}

const waysOf: readonly [keyof AccessFields, string, readonly Way[]][] = [
  ['username', 'username', ['registry', 'https']],
  ['password', 'password', ['registry', 'https']],
  ['certificateAuthority', 'certificate_authority', ['https']],
  ['privateKey', 'private_key', ['ssh']],
  ['hostKey', 'host_key', ['ssh']],
]

const shownWays = { registry: 'a registry', https: 'git over https', ssh: 'git over ssh' } as const

/**
 * Checks that a source is read with what its address takes. Returns it, with nothing but the
 * certificates of the text that has them: it is shown, and files have private keys beside them.
 *
 * @throws 400 naming the field
 */
export function checkAccess(address: Address, fields: AccessFields): AccessFields {
  const way = wayOf(address)
  for (const [field, name, ways] of waysOf) {
    const isGiven =
      fields[field] !== undefined && (fields[field] !== null || field === 'privateKey')
    if (!isGiven || ways.includes(way)) continue
    const others = ways.map((one) => shownWays[one]).join(' or ')
    throw invalid(`body.${name}: is for ${others}, and this source is ${shownWays[way]}`)
  }
  const { certificateAuthority: text } = fields
  return { ...fields, certificateAuthority: text && certificatesIn(text) }
}

type Address = Pick<SourceAddress, 'kind' | 'url'>

/**
 * Returns the one way in which the URL of a source is written.
 *
 * @throws SourceFailure if it is no address of a repository
 */
export const sourceUrl = ({ kind, url }: Address): string => (kind === 'git' ? plainUrl(url) : url)

/** Returns whether a URL is that of a source, also if it is written in another way. */
export function isUrlOf(source: Address, url: string): boolean {
  try {
    return sourceUrl({ kind: source.kind, url }) === source.url
  } catch (error) {
    if (error instanceof SourceFailure) return false
    throw error
  }
}

function wayOf({ kind, url }: Address): Way {
  return kind === 'oci' ? 'registry' : parsePlace(url).scheme
}

/**
 * Returns the key that signs in from now on: the one that was given, or one that is made here.
 *
 * @param before the key of a source that exists
 * @throws 400 if it is no private key
 */
export async function keyOf(
  name: string,
  { address, privateKey }: { address: Address; privateKey: string | null | undefined },
  before: SourceKeyPair | undefined,
  { sourceKeys }: Needs<'sourceKeys'>,
): Promise<SourceKeyPair | undefined> {
  if (wayOf(address) !== 'ssh') return undefined
  if (privateKey === undefined && before) return before
  if (privateKey === undefined || privateKey === null) return sourceKeys.make(name)
  const key = await sourceKeys.read(privateKey, name)
  if (key) return key
  throw invalid(
    'body.private_key: must be a private key without a passphrase, in the format of OpenSSH or PEM; without one, the service makes a key',
  )
}

/**
 * Returns the key that decrypts files from now on: the one that was given, or one that is made
 * here. Each source has its own: with one for all, whoever writes to any source could have files of
 * another one decrypted there.
 *
 * @param identity null: a new key is made
 * @param before the key of a source that exists
 * @throws 400 if it is no identity of age
 */
export async function ageKeyOf(
  identity: string | null | undefined,
  before: AgeKey | undefined,
  { sourceKeys }: Needs<'sourceKeys'>,
): Promise<AgeKey> {
  if (identity === undefined && before) return before
  if (identity === undefined || identity === null) return sourceKeys.makeAge()
  const key = await sourceKeys.readAge(identity)
  if (key) return key
  throw invalid(
    'body.age_identity: must be one identity as `age-keygen` writes it, AGE-SECRET-KEY-1…; without one, the service makes it',
  )
}

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

function certificatesIn(text: string): string {
  const blocks = text.match(block) ?? []
  const isReadable = blocks.length > 0 && blocks.every(isCertificate)
  if (!isReadable) throw invalid('body.certificate_authority: must be certificates in PEM')
  return blocks.join('\n')
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0
  } catch {
    return false
  }
}
