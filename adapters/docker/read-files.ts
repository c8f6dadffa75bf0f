import { posix } from 'node:path'
import type { HostFile, ReadFilesOptions } from '../../functions/core/engine/engine.ts'
import { checkedHostPath } from '../../functions/core/engine/host-path.ts'
import { unpacked } from './archive.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { isMissing } from './errors.ts'
import type { FileStat } from './file-memory.ts'
import { statFile } from './file-stat.ts'
import { archive, type HostAccess, placeOf, refuseLinksAbove } from './files.ts'
import type { Helper } from './helper.ts'

/** Bytes of a directory's archive to read before its files are read one by one. */
const walkBytesMax = 4 * 1024 * 1024

/** The stat of more files than this takes longer than reading them all at once. */
const looksMax = 12

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
    await refuseLinksAbove(host.client, helper, paths)
    const found =
      options.known && paths.length <= looksMax
        ? await readChanged(host, helper, paths)
        : await readAll(host.client, helper, paths)
    // Files must not count as missing because the helper is gone: then this throws, and another
    // helper is used.
    if (found.size < paths.length) await inspectContainer(host.client, helper.id)
    return paths.flatMap((path) => found.get(path) ?? [])
  })
  return read ?? []
}

/** Returns files from the cache if their metadata is unchanged, and reads and caches the others. */
async function readChanged({ client, memory }: HostAccess, helper: Helper, paths: string[]) {
  const looks = await Promise.all(
    paths.map(async (path) => [path, await statFile(client, helper, path)] as const),
  )
  const found = new Map<string, HostFile>()
  const unknown = new Map<string, FileStat>()
  for (const [path, stat] of looks) {
    const content = stat && memory.find(placeOf(helper, path), stat)
    if (content) found.set(path, { path, content, mode: stat.mode & 0o7777 })
    else if (stat) unknown.set(path, stat)
  }
  if (unknown.size === 0) return found
  for (const [path, file] of await readAll(client, helper, [...unknown.keys()])) {
    found.set(path, file)
    // A file that changed in between is cached with its old metadata, so it is read again next
    // time.
    memory.keep(placeOf(helper, path), unknown.get(path)!, file.content)
  }
  return found
}

async function readAll(client: EngineClient, helper: Helper, paths: string[]) {
  const found = new Map<string, HostFile>()
  const seenAll = paths.length > 1 && (await walk(client, helper, paths, found))
  const missing = seenAll ? [] : paths.filter((path) => !found.has(path))
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
  const wanted = (entry: string) => entry.startsWith(prefix) && paths.includes(nameOf(entry))
  try {
    const source = await archive(client, helper, '')
    let bytes = 0
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    const isOver = () => bytes > walkBytesMax
    for await (const { name, type, mode, content } of unpacked(source, wanted, isOver)) {
      if (type === 'file' && wanted(name)) {
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
