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

/** Milliseconds for a whole archive, in or out. */
const archiveDeadline = 60_000

/** The files of a host, as far as its Engine reaches them. */
export interface HostAccess {
  client: EngineClient
  helpers: Helpers
  memory: FileMemory
}

/**
 * Writes files under a directory of the host and deletes others. In the stacks directory they are
 * root's; elsewhere they belong to the owner of the directory. Nothing is written or deleted
 * through a link: files behind one stay, the others that are to be deleted go.
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
 * Returns the links among the directories above files, below the directory that the helper is for.
 */
export const linksAbove = (client: EngineClient, helper: Helper, paths: readonly string[]) =>
  linksAmong(client, helper.id, helper.base, directoriesAbove(paths))

/**
 * Returns the links among paths below a directory and the directories above them; none if the
 * directory is missing.
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

/** Throws a `Failure` 409 if a directory on the way to one of the files is a link. */
export async function refuseLinksAbove(
  client: EngineClient,
  helper: Helper,
  paths: readonly string[],
): Promise<void> {
  const [link] = await linksAbove(client, helper, paths)
  if (link) throw linked(posix.join(helper.mounted, helper.inside), link, client)
}

/** Where a file below what a helper was lent for is on the host. */
export const placeOf = (helper: Helper, path: string) =>
  posix.join(helper.mounted, helper.inside, path)

/** They bear a time that no other write has: what still bears it is as it was written. */
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
      shape: waitResult,
    })
    if (StatusCode !== 0) throw broken(`Deleting files ended with ${StatusCode}`)
  } finally {
    await removeHelper(client, id)
  }
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
