import { unusable } from '../../errors.ts'
import { tarEntries } from '../../tar/entries.ts'
import {
  type ArchiveDescription,
  chunkBytesMax,
  fileBytesMax,
  type ItemChunk,
  isSystemPath,
  type StoreTable,
  type SystemCounts,
  type SystemFile,
} from './system-parts.ts'

/** A part of an archive of the service's state, in the order of the archive. */
export type SystemPart =
  | { kind: 'about'; about: ArchiveDescription }
  | ({ kind: 'items' } & ItemChunk)
  | ({ kind: 'file' } & SystemFile)
  | { kind: 'end'; counts: SystemCounts }

/**
 * Reads an archive that `systemArchive` wrote, with one part in memory at a time. Parts are only
 * valid once `end` was read, because the check covers the archive up to its last entry.
 *
 * @throws 422 if the archive differs from that format in any way
 */
export async function* readSystemArchive(
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterable<SystemPart> {
  const seen = newCounts()
  let state: 'start' | 'within' | 'over' = 'start'
  for await (const entry of tarFiles(chunks)) {
    const part = partOf(entry, seen)
    const fits = state === 'start' ? part.kind === 'about' : part.kind !== 'about'
    if (!fits || state === 'over') throw damaged(`${entry.name} is in the wrong place`)
    state = part.kind === 'end' ? 'over' : 'within'
    yield part
  }
  if (state !== 'over') throw damaged('it was cut off')
}

interface Seen extends SystemCounts {
  chunks: Record<StoreTable, number>
  paths: Set<string>
}

const newCounts = (): Seen => ({
  files: 0,
  items: 0,
  logs: 0,
  chunks: { items: 0, logs: 0 },
  paths: new Set(),
})

function partOf({ name, mode, content }: TarFile, seen: Seen): SystemPart {
  if (name === 'system.json') return { kind: 'about', about: aboutOf(content) }
  if (name === 'end.json') return { kind: 'end', counts: endOf(content, seen) }
  const [, table, number] = /^store\/(items|logs)\/(\d{6,})\.ndjson$/.exec(name) ?? []
  if (table) return itemsOf(table as StoreTable, Number(number), content, seen)
  const path = name.startsWith('files/') ? name.slice('files/'.length) : ''
  const isFile = isSystemPath(path) && !seen.paths.has(path) && content.length <= fileBytesMax
  if (!isFile) throw damaged(`${JSON.stringify(name)} has no place in it`)
  seen.files += 1
  seen.paths.add(path)
  return { kind: 'file', path, mode: mode & 0o400 && !(mode & 0o200) ? 0o400 : 0o600, content }
}

function itemsOf(table: StoreTable, number: number, lines: Uint8Array, seen: Seen): SystemPart {
  if (number !== seen.chunks[table] + 1) throw damaged(`items of ${table} are missing`)
  const count = lines.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
  seen.chunks[table] += 1
  seen[table] += count
  return { kind: 'items', table, count, lines }
}

function aboutOf(content: Uint8Array): ArchiveDescription {
  const about = json(content) as ArchiveDescription
  if (about?.format !== 'container-stacks system')
    throw damaged('it does not contain the state of the service')
  if (about.version !== 1) {
    throw damaged(
      `its version ${about.version} was written by a newer version of the service (${about.service})`,
    )
  }
  return about
}

function endOf(content: Uint8Array, seen: Seen): SystemCounts {
  const { files, items, logs } = json(content) as SystemCounts
  const same = files === seen.files && items === seen.items && logs === seen.logs
  if (!same) throw damaged('parts of it are missing')
  return { files, items, logs }
}

function json(content: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(content).toString())
  } catch (cause) {
    throw unusable('the archive of the service is damaged', { cause })
  }
}

interface TarFile {
  name: string
  mode: number
  content: Uint8Array
}

/** Yields the files of the archive, each as a whole. None is larger than `chunkBytesMax`. */
async function* tarFiles(chunks: AsyncIterable<Uint8Array>): AsyncIterable<TarFile> {
  for await (const { header, content } of tarEntries(chunks)) {
    const { name, type, mode = 0, size = 0 } = header
    if (type !== 'file' || size > chunkBytesMax)
      throw damaged(`${JSON.stringify(name)} is not a file`)
    const parts: Uint8Array[] = []
    for await (const chunk of content) parts.push(chunk)
    yield { name, mode, content: Buffer.concat(parts) }
  }
}

const damaged = (why: string) => unusable(`the archive of the service cannot be used: ${why}`)
