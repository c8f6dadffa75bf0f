import { type ComposePlaces, isIn } from './compose-places.ts'

/** What is known of a file before it is read. */
interface Sized {
  path: string
  file: { size: number }
}

/** Why something is not sent. */
export type LeftOutReason = 'tool' | 'junk' | 'ignored' | 'unused' | 'data' | 'large' | 'path'

/** A file or directory, which is sent or left out as a whole. */
export interface Group<T> {
  path: string
  files: readonly T[]
  bytes: number
  /** Why the file is left out by default. The reader can send it anyway. */
  reason?: LeftOutReason
}

export interface SortedFolder<T> {
  /** The compose file, if there is one. */
  main: T | undefined
  env: T | undefined
  /** Overlays by the name of their environment. */
  overlays: ReadonlyMap<string, T>
  groups: readonly Group<T>[]
  /** Files that the service would refuse. */
  refused: readonly { path: string; reason: LeftOutReason }[]
}

const mainNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

/** One file at most this large is sent. Bytes. */
const fileMax = 16 * 1024 * 1024
/** A directory that no container only reads is left out from this size on, as the client does. */
const unusedFilesMax = 100
const unusedBytesMax = 1024 * 1024

/**
 * Sorts the files of a directory into those that the service knows by name, and groups of others.
 *
 * @param writable directories that containers write to, which are groups of their own
 * @param main the path of the compose file, if it has no usual name
 */
export function sortFolder<T extends Sized>(
  files: readonly T[],
  writable: readonly string[] = [],
  main?: string,
): SortedFolder<T> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const mainFile = [main, ...mainNames].flatMap((name) => byPath.get(name ?? '') ?? [])[0]
  const env = byPath.get('.env')
  const overlays = overlaysOf(files, mainFile?.path)
  const named = new Set([mainFile, env, ...overlays.values()])
  const refused: { path: string; reason: LeftOutReason }[] = []
  const groups = new Map<string, T[]>()
  for (const file of files) {
    const reason = refusal(file)
    if (named.has(file)) continue
    if (reason) refused.push({ path: file.path, reason })
    else {
      const key = groupOf(file.path, writable)
      groups.set(key, [...(groups.get(key) ?? []), file])
    }
  }
  const sorted = [...groups].sort(([one], [other]) => one.localeCompare(other))
  return {
    main: mainFile,
    env,
    overlays,
    refused,
    groups: sorted.map(([path, of]) => ({
      path,
      files: of,
      bytes: of.reduce((sum, { file }) => sum + file.size, 0),
    })),
  }
}

function groupOf(path: string, writable: readonly string[]): string {
  const own = writable.filter((one) => one !== '' && path.startsWith(`${one}/`))
  const [longest] = own.sort((one, other) => other.length - one.length)
  if (longest !== undefined) return `${longest}/`
  const [top = '', ...rest] = path.split('/')
  return rest.length > 0 ? `${top}/` : top
}

/** Overlays are named after the compose file: `compose.prod.yaml`. */
function overlaysOf<T extends Sized>(files: readonly T[], main: string | undefined) {
  const stem = main?.replace(/\.ya?ml$/, '') ?? 'compose'
  const found = new Map<string, T>()
  for (const file of files) {
    if (!file.path.startsWith(`${stem}.`)) continue
    const rest = file.path.slice(stem.length + 1)
    const name = /^([a-z0-9][a-z0-9_-]{0,62})\.ya?ml$/.exec(rest)?.[1]
    if (name !== undefined) found.set(name, file)
  }
  return found
}

/** The service refuses control characters, those that change the direction of text, and `\`. */
const forbidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\\\ufffd]|\p{Cs}/u

function refusal({ path, file }: Sized): LeftOutReason | undefined {
  if (file.size > fileMax) return 'large'
  const isLong = path.length > 512 || path.split('/').some((part) => part.length > 120)
  return forbidden.test(path) || isLong ? 'path' : undefined
}

const junk = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\.idea\/|\.vscode\/|.*~|.*\.swp)$/

/**
 * Returns why a group is left out at first, given the texts of compose files and what they name. A
 * small directory that containers write to is sent as its first content.
 */
export function reasonOf(
  { path, files, bytes }: Group<unknown>,
  composeTexts: string,
  { writable, contexts }: ComposePlaces,
): LeftOutReason | undefined {
  if (junk.test(path)) return 'junk'
  if (!path.endsWith('/') || (files.length <= unusedFilesMax && bytes <= unusedBytesMax)) {
    return undefined
  }
  const name = path.slice(0, -1)
  if (writable.some((directory) => isIn(name, directory))) return 'data'
  const isUsed = contexts.some((directory) => isIn(name, directory)) || isNamed(name, composeTexts)
  return isUsed ? undefined : 'unused'
}

/** Returns whether a text names a path. */
export function isNamed(path: string, text: string): boolean {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?:^|[\\s"'/:[,])${escaped}(?:$|[\\s"'/:\\],])`, 'm').test(text)
}
