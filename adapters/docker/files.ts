import { posix } from 'node:path'
import type { HostFile } from '../../functions/core/engine/engine.ts'
import { checkedHostPath } from '../../functions/core/engine/host-path.ts'
import { broken, Failure } from '../../functions/core/errors.ts'
import { packed, unpacked } from './archive.ts'
import type { EngineClient } from './client.ts'
import type { Helper, Helpers } from './helper.ts'
import { createHelper, mountPoint, removeHelper } from './helper-container.ts'
import { unlinkProgram } from './unlink.ts'

/** Milliseconds for a whole archive, in or out. */
const archiveDeadline = 60_000

/** Bytes of a directory that are read in passing before its files are asked for one by one. */
const walkBytesMax = 4 * 1024 * 1024

/**
 * Writes files under a directory of the host and deletes others. In the stacks directory they are root's; elsewhere they
 * belong to the owner of the directory. Throws a `Failure` 400 for a path that leaves the directory.
 */
export async function writeHostFiles(
  client: EngineClient,
  helpers: Helpers,
  directory: string,
  files: HostFile[],
  remove: string[] = [],
): Promise<void> {
  for (const path of [...files.map((file) => file.path), ...remove]) checkedHostPath(path)
  await helpers.lend(directory, 'write', async (helper) => {
    if (files.length > 0) await putFiles(client, helper, files)
    if (remove.length > 0) await deleteFiles(client, helper, remove)
  })
}

/** Reads regular files under a directory of the host, in the order asked for; missing ones are left out. */
export async function readHostFiles(
  client: EngineClient,
  helpers: Helpers,
  directory: string,
  paths: string[],
): Promise<HostFile[]> {
  for (const path of paths) checkedHostPath(path)
  if (paths.length === 0) return []
  const read = await helpers.lend(directory, 'read', async (helper) => {
    const found = new Map<string, HostFile>()
    const seenAll = paths.length > 1 && (await walk(client, helper, paths, found))
    const missing = seenAll ? [] : paths.filter((path) => !found.has(path))
    for (const file of await Promise.all(missing.map((path) => readOne(client, helper, path)))) {
      if (file) found.set(file.path, file)
    }
    return paths.flatMap((path) => found.get(path) ?? [])
  })
  return read ?? []
}

async function putFiles(client: EngineClient, helper: Helper, files: HostFile[]): Promise<void> {
  const owner = helper.inside === '' ? await ownerOf(client, helper) : {}
  const placed = files.map((file) => ({
    ...file,
    ...owner,
    path: posix.join(helper.inside, file.path),
  }))
  await client.json({
    method: 'PUT',
    path: `/containers/${helper.id}/archive`,
    query: { path: mountPoint },
    file: await packed(placed),
    deadline: archiveDeadline,
  })
}

/** The first entry of a directory's archive is the directory. */
async function ownerOf(client: EngineClient, helper: Helper) {
  for await (const { uid, gid } of unpacked(await archive(client, helper, ''), () => false)) {
    return { uid, gid }
  }
  return {}
}

async function deleteFiles(client: EngineClient, helper: Helper, paths: string[]): Promise<void> {
  const { Arch } = await client.json<{ Arch: string }>({ method: 'GET', path: '/version' })
  if (!unlinkProgram(Arch))
    throw broken(`Files cannot be deleted on a host with a ${Arch} processor`)
  const id = await createHelper(
    client,
    { Binds: [`${helper.mounted}:${mountPoint}`] },
    { Cmd: paths.map((path) => posix.join(helper.base, path)) },
  )
  try {
    await client.json({
      method: 'POST',
      path: `/containers/${id}/start`,
      deadline: archiveDeadline,
    })
    const { StatusCode } = await client.json({
      method: 'POST',
      path: `/containers/${id}/wait`,
      deadline: archiveDeadline,
    })
    if (StatusCode !== 0) throw broken(`Deleting files ended with ${StatusCode}`)
  } finally {
    await removeHelper(client, id)
  }
}

/** One pass over the directory until everything is found; true when it was seen to its end. */
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
    for await (const { name, type, mode, content } of unpacked(source, wanted)) {
      if (type === 'file' && wanted(name)) {
        found.set(nameOf(name), { path: nameOf(name), content, mode })
      }
      if (found.size === paths.length) return true
      if (bytes > walkBytesMax) return false
    }
    return true
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return true
    throw error
  }
}

async function readOne(client: EngineClient, helper: Helper, path: string) {
  try {
    for await (const entry of unpacked(await archive(client, helper, path), () => true)) {
      return entry.type === 'file' ? { path, content: entry.content, mode: entry.mode } : undefined
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error
  }
  return undefined
}

/** The archive of a path below what a helper was lent for. */
export function archive(client: EngineClient, helper: Helper, path: string, signal?: AbortSignal) {
  return client.stream({
    method: 'GET',
    path: `/containers/${helper.id}/archive`,
    query: { path: posix.join(helper.base, path) },
    signal,
    deadline: archiveDeadline,
  })
}
