import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { ReadFilesOptions } from '../../../functions/core/ports/engine.ts'
import type { HostEntry, HostFile } from '../../../functions/core/records/host-engine.ts'
import { checkedHostPath } from '../../../functions/core/stacks/host-path.ts'
import type { Helper } from '../helper-containers/helper.ts'
import { inspectContainer } from '../inspect/container.ts'
import { isMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { archive, unpacked } from './archive.ts'
import type { FileStat } from './file-memory.ts'
import { statFile } from './file-stat.ts'
import { refuseLinksAbove } from './files.ts'
import { type HostAccess, hostPathOf } from './host-access.ts'

/** Bytes of a directory's archive to read before its files are read one by one. */
const walkBytesMax = 4 * 1024 * 1024

/** Files. Looking up the metadata of more takes longer than reading them all at once. */
export const statFilesMax = 12

/**
 * Reads regular files in a directory of the host, in the requested order. Missing files are left
 * out.
 *
 * @throws 409 if a directory on the way to a file is a link
 */
export async function readHostFiles(
  host: HostAccess,
  directory: string,
  paths: string[],
  options: ReadFilesOptions = {},
): Promise<HostFile[]> {
  for (const path of paths) checkedHostPath(path)
  if (paths.length === 0) return []
  const read = await host.helpers.lend(directory, 'read', async (helper) => {
    const possible = await refuseLinksAbove(host.client, helper, paths)
    const found =
      options.known && paths.length <= statFilesMax
        ? await readChanged(host, helper, possible)
        : await readAll(host.client, helper, possible)
    // Files must not count as missing because the helper is gone: then this throws, and another
    // helper is used.
    if (found.size < paths.length) await inspectContainer(host.client, helper.id)
    return paths.flatMap((path) => found.get(path) ?? [])
  })
  return read ?? []
}

/** Returns what some files are, also from the cache if `known`. Missing ones are left out. */
export async function readSome(
  host: HostAccess,
  helper: Helper,
  paths: string[],
  known: boolean,
): Promise<Map<string, HostEntry>> {
  const read = known ? readChanged(host, helper, paths) : readAll(host.client, helper, paths)
  const entries = [...(await read)].map(([path, { content, mode }]) => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    return [path, { sha256, size: content.length, mode }] as const
  })
  return new Map(entries)
}

/** Returns files from the cache if their metadata is unchanged, and reads and caches the others. */
async function readChanged({ client, memory }: HostAccess, helper: Helper, paths: string[]) {
  const stats = await Promise.all(
    paths.map(async (path) => [path, await statFile(client, helper, path)] as const),
  )
  const found = new Map<string, HostFile>()
  const unknown = new Map<string, FileStat>()
  for (const [path, stat] of stats) {
    const content = stat && memory.find(hostPathOf(helper, path), stat)
    if (content) found.set(path, { path, content, mode: stat.mode & 0o7777 })
    else if (stat) unknown.set(path, stat)
  }
  if (unknown.size === 0) return found
  for (const [path, file] of await readAll(client, helper, [...unknown.keys()])) {
    found.set(path, file)
    // A file that changed in between is cached with its old metadata, so it is read again next
    // time.
    const stat = unknown.get(path)
    if (stat) memory.keep(hostPathOf(helper, path), stat, file.content)
  }
  return found
}

async function readAll(client: EngineClient, helper: Helper, paths: string[]) {
  const found = new Map<string, HostFile>()
  const isComplete = paths.length > 1 && (await walk(client, helper, paths, found))
  const missing = isComplete ? [] : paths.filter((path) => !found.has(path))
  for (const file of await Promise.all(missing.map((path) => readOne(client, helper, path)))) {
    if (file) found.set(file.path, file)
  }
  return found
}

/**
 * Reads the directory's archive until all files are found. Returns whether it was read to its end,
 * or far enough.
 */
async function walk(
  client: EngineClient,
  helper: Helper,
  paths: string[],
  found: Map<string, HostFile>,
): Promise<boolean> {
  const prefix = `${posix.basename(helper.base)}/`
  const nameOf = (entry: string) => entry.slice(prefix.length)
  const isRequested = (entry: string) => entry.startsWith(prefix) && paths.includes(nameOf(entry))
  try {
    const source = await archive(client, helper, '')
    let bytes = 0
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    const isOver = () => bytes > walkBytesMax
    for await (const { name, type, mode, content } of unpacked(source, isRequested, isOver)) {
      if (type === 'file' && isRequested(name)) {
        found.set(nameOf(name), { path: nameOf(name), content, mode })
      }
      if (found.size === paths.length) return true
      if (isOver()) return false
    }
    return !isOver()
  } catch (error) {
    if (isMissing(error)) return true
    throw error
  }
}

async function readOne(client: EngineClient, helper: Helper, path: string) {
  try {
    for await (const entry of unpacked(await archive(client, helper, path), () => true)) {
      return entry.type === 'file' ? { path, content: entry.content, mode: entry.mode } : undefined
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return undefined
}
