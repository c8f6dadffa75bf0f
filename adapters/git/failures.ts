import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import { connectionCauses } from '../net/connection-causes.ts'
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

const untrusted = 'its certificate is not trusted: send its authority as certificate_authority'

const causes: Readonly<Record<string, string>> = {
  ...connectionCauses,
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
  [/Operation too slow/, 'unreachable', 'sends nothing for too long; the next look tries again'],
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
]

/** The data is damaged that the server sent, or that the copy on the disk had before. */
export class DamagedData extends SourceFailure {}

const saysDamaged =
  /index-pack|bad pack|pack has|early EOF|inflate|disconnect|corrupt|bad object|invalid|protocol error|unresolved delta|did not send all necessary/i

/** Returns what a failed run of git means, or undefined if only the server knows. */
export function sayingFailure(where: string, stderr: string): SourceFailure | undefined {
  const found = sayings.find(([pattern]) => pattern.test(stderr))
  if (found) return new SourceFailure(found[1], `the repository at ${where} ${found[2]}`)
  if (!saysDamaged.test(stderr)) return undefined
  return new DamagedData(
    'malformed',
    `the repository at ${where} sends data that is damaged or cut off: run \`git fsck\` in the repository, and look again`,
  )
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

/** Git failed, and neither git nor the server says why. Damaged data may make git crash. */
export function unclear(
  where: string,
  { code, stderr }: { code: number | null; stderr: string },
): SourceFailure {
  const Kind = code === null ? DamagedData : SourceFailure
  const ended = `git ended with ${code ?? 'a signal'}`
  return new Kind(
    'unreachable',
    `the repository at ${where} cannot be read (${ended}); the next look tries again`,
    { cause: new Error(stderr.slice(-500)) },
  )
}

/** Something in the repository is refused. */
export const refusedPath = (shown: string, why: string) =>
  new SourceFailure('malformed', `${shown} in the repository ${why}`)

/** The server decides what follows these words, which may be many lines. */
const saidByServer = /^fatal: remote error:[\s\S]*/m

/** Whether git complains of the copy on the disk, and not of the server. */
export const isLocal = (stderr: string): boolean =>
  /not a git repository|Unable to create|unable to write|No space left|quota exceeded|Read-only file system|shallow file has changed|could not lock/i.test(
    stderr.replace(saidByServer, ''),
  )

export const unwritable = (stderr: string) =>
  new SourceFailure(
    'unreachable',
    'git cannot write its copy of the repository: check that the disk of the data directory has space',
    { cause: new Error(stderr.slice(-500)) },
  )

/** Git reads a copy on the disk for longer than `time` milliseconds. */
export const tooSlow = (time: number) =>
  new SourceFailure(
    'unreachable',
    `git reads its copy of the repository for longer than ${time / 1000} s: use a smaller repository, or a faster disk`,
  )
