import { invalid } from '../errors.ts'
import { type OtherFile, otherFile } from '../stacks/other-files.ts'
import type { BundleEntry } from './unpack.ts'

const megabyte = 1024 * 1024
/** A larger file is none that a compose file reads. */
const fileBytesMax = megabyte
/** What may be in memory of a bundle while it is read. */
const heldBytesMax = 12 * megabyte
const heldFilesMax = 2000
/** What is kept of a bundle with the stack. */
const keptBytesMax = 4 * megabyte
const keptFilesMax = 200

/** The small files of a bundle by path, and how many others it has. */
export interface CollectedFiles {
  files: Map<string, OtherFile>
  /** Files that are not kept: they are on the host, and too large or too many to be kept here. */
  left: number
}

interface Held {
  path: string
  content: Uint8Array
  mode: number
}

/**
 * Reads every entry to its end and holds on to what a stack keeps. `first` are paths that go before all others. Throws a
 * `Failure` 400 for one of those that is too large.
 */
export async function collect(
  entries: AsyncIterable<BundleEntry>,
  first: readonly string[],
): Promise<CollectedFiles> {
  let held: Held[] = []
  let files = 0
  for await (const { path, type, mode, size, content } of entries) {
    const keep = type === 'file' && size <= fileBytesMax
    if (!keep && first.includes(path)) throw invalid(`bundle: ${path} is larger than 1 MiB`)
    const chunks: Uint8Array[] = []
    for await (const chunk of content) if (keep) chunks.push(chunk)
    if (type === 'file') files += 1
    if (keep) held.push({ path, mode, content: Buffer.concat(chunks) })
    if (held.length > heldFilesMax || bytesOf(held) > heldBytesMax) {
      held = best(held, first, heldFilesMax / 2, heldBytesMax / 2)
    }
  }
  return {
    files: new Map(
      best(held, first, heldFilesMax, heldBytesMax).map(({ path, content, mode }) => [
        path,
        otherFile(content, mode),
      ]),
    ),
    left: files - held.length,
  }
}

/** As many of the files as a stack keeps, those that compose files are likely to read first. */
export function keptOf(files: ReadonlyMap<string, OtherFile>, first: readonly string[]) {
  const all = [...files].map(([path, file]) => ({
    path,
    file,
    content: typeof file === 'string' ? Buffer.from(file) : file.content,
  }))
  const kept = best(all, first, keptFilesMax, keptBytesMax)
  return {
    files: new Map(kept.map(({ path, file }) => [path, file])),
    left: all.length - kept.length,
  }
}

const bytesOf = (held: readonly Pick<Held, 'content'>[]) =>
  held.reduce((sum, { content }) => sum + content.length, 0)

/** The best of them within the limits. */
function best<T extends Pick<Held, 'path' | 'content'>>(
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

/** Compose files, then what they include or read variables from, then the rest: near the root before far from it. */
function rankOf({ path }: Pick<Held, 'path'>, first: readonly string[]): number {
  if (first.includes(path)) return 0
  const depth = path.split('/').length
  return depth + (/(^|[./])env$|\.env[^/]*$|\.ya?ml$/.test(path) ? 0 : 100)
}
