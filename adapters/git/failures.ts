import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import { OutboundBlocked } from '../net/outbound.ts'
import { ProxyFailed } from '../net/proxy-tunnel.ts'
import { OutboundTimeout } from '../net/request.ts'

/** Returns the failure of a server that cannot be reached. `where` is its host and port. */
export function dialFailure(where: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof SourceFailure) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (error instanceof OutboundBlocked) {
    return new SourceFailure('not-allowed', `${where}: ${message}`, { cause: error })
  }
  const isOurs = error instanceof OutboundTimeout || error instanceof ProxyFailed
  const why = isOurs ? message : (causes[String(code)] ?? code ?? 'the connection failed')
  return new SourceFailure('unreachable', `${where} cannot be reached: ${why}`, { cause: error })
}

const untrusted = 'its certificate is not trusted: set its authority as the CA of the source'

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'the host name could not be resolved right now',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/**
 * Returns the failure of a server that was reached over ssh and has no such repository. Returns
 * undefined for what the program says for other reasons: git knows more of them.
 */
export function uploadPackFailure({ host, path }: { host: string; path: string }, said: string) {
  if (!/not found|not exist|not appear to be|denied|permission/i.test(said)) return undefined
  const words = `${host} has no repository ${path} that the account of the source may read`
  return new SourceFailure('denied', words)
}

const usesLongIds =
  'uses SHA-256 for its object IDs, which is not supported: use a repository with SHA-1'

export const longIds = (where: string) =>
  new SourceFailure('malformed', `the repository at ${where} ${usesLongIds}`)

/** What git says, and what it means. The first that matches holds. */
const sayings: readonly [RegExp, SourceFailure['problem'], string][] = [
  [/mismatched algorithms|unknown object format|object.format/i, 'malformed', usesLongIds],
  [/couldn't find remote ref/i, 'no-such-ref', 'has no such branch or tag'],
  [
    /out of memory|mmap failed|File too large|cannot allocate|too large to/i,
    'too-large',
    'has objects that are too large to be read: keep large files out of the repository',
  ],
  [
    /^(error|fatal|warning): .*\b(hasDot|hasDotdot|hasDotgit|fullPathname|nullSha1|treeNotSorted|duplicateEntries|badTree|missing\w+|bad\w+|gitmodules\w+|gitattributes\w+|symlink\w+|nulIn\w+|zeroPadded\w+|multiple\w+|unknownType|largePathname|emptyName|fsck error)\b/m,
    'malformed',
    'has an object that git does not accept (`git fsck` in a clone names it)',
  ],
  [
    /index-pack|bad pack|pack has|early EOF|inflate|disconnect|corrupt|bad object|invalid|protocol error|unresolved delta|did not send all necessary/i,
    'malformed',
    'sends data that is damaged or cut off: run `git fsck` in the repository, and look again',
  ],
]

/** Returns what a failed run of git means, or undefined if only the server knows. */
export function sayingFailure(where: string, stderr: string): SourceFailure | undefined {
  const found = sayings.find(([pattern]) => pattern.test(stderr))
  return found && new SourceFailure(found[1], `the repository at ${where} ${found[2]}`)
}

/** Whether the server does not give this commit by its ID: it has gone, or it never does. */
export const isUnadvertised = (stderr: string): boolean =>
  /not our ref|unadvertised object|does not allow request for/i.test(stderr)

/** The most objects of a repository that are received or listed. */
export const objectsMax = 100_000

export const tooManyObjects = (host: string) =>
  new SourceFailure(
    'too-large',
    `the repository at ${host} has more than ${objectsMax} files, folders and other objects: use a smaller one`,
  )

/** Git failed, and neither git nor the server says why. */
export const unclear = (where: string, { code, stderr }: { code: number | null; stderr: string }) =>
  new SourceFailure(
    'unreachable',
    `the repository at ${where} cannot be read (git ended with ${code ?? 'a signal'}); the next look tries again`,
    { cause: new Error(stderr.slice(-500)) },
  )

/** Something in the repository is refused. */
export const refusedPath = (shown: string, why: string) =>
  new SourceFailure('malformed', `${shown} in the repository ${why}`)

/** Whether git complains of the copy on the disk, and not of the server. */
export const isLocal = (stderr: string): boolean =>
  /not a git repository|Unable to create|unable to write|No space left|quota exceeded|Read-only file system|shallow file has changed|could not lock/i.test(
    stderr,
  )
