import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { extract, pack } from 'tar-stream'
import { archiveEntriesMax } from '../../functions/core/container-files/archive-limits.ts'
import type { Client } from '../api/client.ts'
import { failed } from '../failure.ts'
import { clean } from '../output/text.ts'
import type { ContainerPlace } from './read-archive.ts'

/** Bytes of files in one archive. The service accepts archives of 16 MiB. */
export const archiveMax = 15 * 1024 * 1024

export interface Entry {
  name: string
  mode: number
  link?: string
  data?: Buffer
}

/**
 * Sends entries into a directory of a container, large trees as several archives. Throws a
 * `CliFailure` for a file of more than 15 MiB.
 */
export async function upload(
  api: Client,
  source: AsyncIterable<Entry>,
  { id, host, path }: ContainerPlace,
): Promise<void> {
  let entries: Entry[] = []
  let bytes = 0
  const send = async () => {
    if (entries.length === 0) return
    const data = (await packed(entries)).toString('base64')
    const request = { path: { id }, query: { host, path }, body: { data }, timeout: 0 }
    await api.put('/containers/{id}/archive', request)
    entries = []
    bytes = 0
  }
  for await (const entry of source) {
    const size = sizeInArchive(entry)
    if (bytes + size > archiveMax || entries.length === archiveEntriesMax) await send()
    entries.push(entry)
    bytes += size
  }
  await send()
}

/**
 * Returns the most bytes that an entry takes: its header, one more for a name that is long or not
 * ASCII, with these names, and the data in blocks.
 */
function sizeInArchive({ name, link = '', data }: Entry): number {
  const blocks = 3 + Math.ceil((data?.length ?? 0) / 512)
  return 512 * blocks + Buffer.byteLength(name) + Buffer.byteLength(link)
}

/**
 * Yields a local file or directory under a name, or what is in a directory if the name is empty.
 * Adds to `left` what it leaves out.
 */
export async function* entriesOf(
  path: string,
  name: string,
  left: string[],
): AsyncGenerator<Entry> {
  const found = await lstat(path).catch((cause) => {
    throw failed(`${clean(path)} cannot be read`, { cause })
  })
  const mode = found.mode & 0o777
  if (found.isFile()) {
    requireSize(path, found.size)
    yield { name, mode, data: await readFile(path) }
  } else if (found.isSymbolicLink()) yield { name, mode, link: await readlink(path) }
  else if (found.isDirectory()) {
    if (name !== '') yield { name: `${name}/`, mode }
    for (const one of (await readdir(path)).sort())
      yield* entriesOf(join(path, one), name === '' ? one : `${name}/${one}`, left)
  } else left.push(`${path} (no plain file)`)
}

/** Yields the files, directories and links of a tar archive. Adds the others to `left`. */
export async function* entriesIn(archive: Readable, left: string[]): AsyncGenerator<Entry> {
  const reader = extract()
  archive.on('error', (error) => reader.destroy(error))
  archive.pipe(reader)
  for await (const entry of reader) {
    const { name, type, mode = 0o644, size = 0, linkname } = entry.header
    if (type === 'file') {
      requireSize(name, size)
      const chunks: Buffer[] = []
      for await (const chunk of entry) chunks.push(chunk as Buffer)
      yield { name, mode, data: Buffer.concat(chunks) }
      continue
    }
    entry.resume()
    if (type === 'directory') yield { name, mode }
    else if (type === 'symlink') yield { name, mode, link: linkname ?? '' }
    else left.push(`${name} (${type ?? 'unknown'})`)
  }
}

function requireSize(name: string, size: number): void {
  if (size <= archiveMax - 1024) return
  throw failed(`${clean(name)} is larger than ${archiveMax - 1024} bytes`)
}

async function packed(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const { name, mode, link, data } of entries) {
    if (data) archive.entry({ name, mode }, data)
    else if (link !== undefined) archive.entry({ name, mode, type: 'symlink', linkname: link })
    else archive.entry({ name, mode, type: 'directory' })
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
