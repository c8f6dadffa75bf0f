import { posix } from 'node:path'
import type { FoundLink, HostFile } from '../../functions/core/engine/engine.ts'
import { checkedHostPath } from '../../functions/core/engine/host-path.ts'
import { broken } from '../../functions/core/errors.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { waitResult } from './answer-shapes.ts'
import { unpacked } from './archive.ts'
import type { EngineClient } from './client.ts'
import type { FileMemory } from './file-memory.ts'
import { uniqueInstant } from './file-stat.ts'
import { type Helper, type Helpers, linked } from './helper.ts'
import { createHelper, mountPoint, removeHelper } from './helper-container.ts'
import { componentsOf, directoriesAbove, linksAmong } from './look-at.ts'
import { unlinkProgram } from './unlink.ts'

/** Milliseconds for transferring a whole archive. */
const archiveDeadline = 60_000

/** Access to the files of a host through its Engine. */
export interface HostAccess {
  client: EngineClient
  helpers: Helpers
  memory: FileMemory
}

/**
 * Writes files in a directory of the host and deletes others. In the stacks directory root owns
 * them; elsewhere the owner of the directory does. Symbolic links are never followed: a file behind
 * a link is not deleted, but the other files are.
 *
 * @throws 400 if a path leaves the directory
 * @throws 409 if a directory on the way to a file is a link
 */
export async function writeHostFiles(
  host: HostAccess,
  directory: string,
  files: HostFile[],
  remove: string[] = [],
): Promise<void> {
  const paths = [...files.map((file) => file.path), ...remove]
  for (const path of paths) checkedHostPath(path)
  await host.helpers.lend(directory, 'write', async (helper) => {
    for (const path of paths) host.memory.forget(placeOf(helper, path))
    const links = await linksAbove(host.client, helper, paths)
    const isBehind = (path: string) => links.some((link) => path.startsWith(`${link.path}/`))
    const behind = links.find((link) => files.some(({ path }) => path.startsWith(`${link.path}/`)))
    if (behind) throw linked(posix.join(helper.mounted, helper.inside), behind, host.client)
    if (files.length > 0) await putFiles(host, helper, files)
    const removed = remove.filter((path) => !isBehind(path))
    if (removed.length > 0) await deleteFiles(host.client, helper, removed)
    if (links[0]) throw linked(posix.join(helper.mounted, helper.inside), links[0], host.client)
  })
}

/**
 * Returns the symbolic links among the parent directories of files, below the helper's directory.
 */
export const linksAbove = (client: EngineClient, helper: Helper, paths: readonly string[]) =>
  linksAmong(client, helper.id, helper.base, directoriesAbove(paths))

/**
 * Returns the symbolic links among paths below a directory and their parent directories, or none if
 * the directory does not exist.
 */
export async function findHostLinks(
  host: HostAccess,
  directory: string,
  paths: readonly string[],
): Promise<FoundLink[]> {
  if (paths.length === 0) return []
  for (const path of paths) checkedHostPath(path)
  const components = componentsOf(paths)
  const found = await host.helpers.lend(directory, 'read', ({ id, base }) =>
    linksAmong(host.client, id, base, components),
  )
  return found ?? []
}

/**
 * Checks the directories on the way to files.
 *
 * @throws 409 if one of them is a symbolic link
 */
export async function refuseLinksAbove(
  client: EngineClient,
  helper: Helper,
  paths: readonly string[],
): Promise<void> {
  const [link] = await linksAbove(client, helper, paths)
  if (link) throw linked(posix.join(helper.mounted, helper.inside), link, client)
}

/** Returns the path on the host of a file in the helper's directory. */
export const placeOf = (helper: Helper, path: string) =>
  posix.join(helper.mounted, helper.inside, path)

/** Writes files with a unique time: as long as a file has it, its content is what was written. */
async function putFiles(
  { client, memory }: HostAccess,
  helper: Helper,
  files: HostFile[],
): Promise<void> {
  const owner = helper.isStack ? {} : await ownerOf(client, helper)
  const changed = uniqueInstant()
  const placed = files.map((file) => ({
    ...file,
    ...owner,
    changed,
    path: posix.join(helper.inside, file.path),
  }))
  await client.json({
    method: 'PUT',
    path: `/containers/${helper.id}/archive`,
    query: { path: mountPoint },
    file: await tarOf(placed),
    deadline: archiveDeadline,
  })
  for (const { path, mode, content } of files) {
    memory.keep(placeOf(helper, path), { size: content.length, mode, changed }, content)
  }
}

/** Returns the owner of the directory, which is the first entry of its archive. */
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
      shape: waitResult,
    })
    if (StatusCode !== 0) throw broken(`Deleting files ended with ${StatusCode}`)
  } finally {
    await removeHelper(client, id)
  }
}

/** Returns the archive of a path in the helper's directory. */
export function archive(client: EngineClient, helper: Helper, path: string, signal?: AbortSignal) {
  return client.stream({
    method: 'GET',
    path: `/containers/${helper.id}/archive`,
    query: { path: posix.join(helper.base, path) },
    signal,
    deadline: archiveDeadline,
  })
}
