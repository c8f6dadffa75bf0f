import { invalid } from '../errors.ts'
import { executableMode, plainMode } from '../records/stack-tree.ts'
import type { NewFile } from '../stacks/new-file.ts'
import type { BundleEntry } from './unpack.ts'

const megabyte = 1024 * 1024
/** Compose files do not read larger files. */
const fileBytesMax = megabyte
/** Limits of what is in memory while a bundle is read. */
const memoryBytesMax = 12 * megabyte
const memoryFilesMax = 2000
/** Limits of what is stored with the stack. */
const stackBytesMax = 4 * megabyte
const stackFilesMax = 200

/** The small files of a bundle by path, and the number of the others. */
export interface CollectedFiles {
  files: Map<string, NewFile>
  /**
   * The number of files that are not kept because they are too large or too many. They exist only
   * on the host.
   */
  omitted: number
}

interface HeldFile {
  path: string
  content: Uint8Array
  mode: number
}

/**
 * Reads every entry to its end and keeps the files that a stack may store. The paths in `first`
 * take precedence.
 *
 * @throws 400 if one of those is larger than 1 MiB
 */
export async function collect(
  entries: AsyncIterable<BundleEntry>,
  first: readonly string[],
): Promise<CollectedFiles> {
  let held: HeldFile[] = []
  let files = 0
  for await (const { path, type, mode, size, content } of entries) {
    const keep = type === 'file' && size <= fileBytesMax
    if (!keep && first.includes(path)) throw invalid(`bundle: ${path} is larger than 1 MiB`)
    const chunks: Uint8Array[] = []
    for await (const chunk of content) if (keep) chunks.push(chunk)
    if (type === 'file') files += 1
    if (keep) held.push({ path, mode, content: Buffer.concat(chunks) })
    if (held.length > memoryFilesMax || bytesOf(held) > memoryBytesMax) {
      held = selectByRank(held, first, memoryFilesMax / 2, memoryBytesMax / 2)
    }
  }
  return {
    files: new Map(
      selectByRank(held, first, memoryFilesMax, memoryBytesMax).map(({ path, content, mode }) => [
        path,
        { content, mode: (mode & 0o100) !== 0 ? executableMode : plainMode },
      ]),
    ),
    omitted: files - held.length,
  }
}

/**
 * Returns as many of the files as a stack stores, in the order in which compose files are likely to
 * need them.
 */
export function selectFiles(files: ReadonlyMap<string, NewFile>, first: readonly string[]) {
  const all = [...files].map(([path, file]) => ({ path, file, content: file.content }))
  const kept = selectByRank(all, first, stackFilesMax, stackBytesMax)
  return {
    files: new Map(kept.map(({ path, file }) => [path, file])),
    left: all.length - kept.length,
  }
}

const bytesOf = (held: readonly Pick<HeldFile, 'content'>[]) =>
  held.reduce((sum, { content }) => sum + content.length, 0)

/** Returns the files of the highest rank that fit the limits. */
function selectByRank<T extends Pick<HeldFile, 'path' | 'content'>>(
  held: readonly T[],
  first: readonly string[],
  filesMax: number,
  bytesMax: number,
): T[] {
  const ranked = held
    .map((one) => ({ one, rank: rankOf(one, first) }))
    .sort((left, right) => left.rank - right.rank || (left.one.path < right.one.path ? -1 : 1))
  const kept: T[] = []
  let bytes = 0
  for (const { one } of ranked) {
    if (kept.length >= filesMax || bytes + one.content.length > bytesMax) continue
    bytes += one.content.length
    kept.push(one)
  }
  return kept
}

/**
 * Ranks the paths in `first` before environment files and YAML files, and those before all others.
 * Within each group files near the root come first.
 */
function rankOf({ path }: Pick<HeldFile, 'path'>, first: readonly string[]): number {
  if (first.includes(path)) return 0
  const depth = path.split('/').length
  return depth + (/(^|[./])env$|\.env[^/]*$|\.ya?ml$/.test(path) ? 0 : 100)
}
