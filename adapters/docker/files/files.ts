import { posix } from 'node:path'
import { conflict, type Failure } from '../../../functions/core/errors.ts'
import type { FoundLink, HostFile, HostLink } from '../../../functions/core/records/host-engine.ts'
import { checkedHostPath } from '../../../functions/core/stacks/host-path.ts'
import { type Helper, linkConflict } from '../helper-containers/helper.ts'
import {
  componentsOf,
  directoriesAbove,
  linksAmong,
  type Obstacle,
  obstaclesAmong,
} from '../inspect/path-stat.ts'
import type { EngineClient } from '../transport/client.ts'
import { deleteEmptyDirectories, deleteFiles } from './delete-files.ts'
import { type HostAccess, hostPathOf } from './host-access.ts'
import { putFiles } from './put-files.ts'

/**
 * Writes files in a directory of the host and deletes others. In the stacks directory root owns
 * them; elsewhere the owner of the directory does. Symbolic links are never followed: a file behind
 * a link is not deleted, but the other files are. A file replaces a file or a link, and never a
 * directory.
 *
 * @param emptied directories to delete if they are empty then, those inside of others first
 * @throws 400 if a path leaves the directory
 * @throws 409 if a directory on the way to a file is a link or a file, or a file is a directory
 */
export async function writeHostFiles(
  host: HostAccess,
  directory: string,
  files: readonly (HostFile | HostLink)[],
  remove: readonly string[] = [],
  emptied: readonly string[] = [],
): Promise<void> {
  const paths = [...files.map((file) => file.path), ...remove, ...emptied]
  for (const path of paths) checkedHostPath(path)
  await host.helpers.lend(directory, 'write', async (helper) => {
    for (const path of paths) host.memory.forget(hostPathOf(helper, path))
    const { client } = host
    const obstacles = await obstaclesAbove(client, helper, paths)
    const isBehind = (path: string) => obstacles.some((one) => isBelow(path, one))
    const inTheWay = obstacles.find((one) => files.some(({ path }) => isBelow(path, one)))
    if (inTheWay) throw refusalOf(inTheWay, helper, client)
    if (files.length > 0) await putFiles(host, helper, files)
    const removed = remove.filter((path) => !isBehind(path))
    if (removed.length > 0) await deleteFiles(client, helper, removed)
    const cleared = emptied.filter((path) => !isBehind(path))
    if (cleared.length > 0) {
      const inHelper = cleared.map((path) => posix.join(helper.base, path))
      await deleteEmptyDirectories(client, helper.mounted, inHelper)
    }
    const link = obstacles.find(({ target }) => target !== undefined)
    if (link) throw refusalOf(link, helper, client)
  })
}

const isBelow = (path: string, above: { path: string }) => path.startsWith(`${above.path}/`)

/** Returns what is no directory among the parents of files, below the helper's directory. */
const obstaclesAbove = (client: EngineClient, helper: Helper, paths: readonly string[]) =>
  obstaclesAmong(client, helper.id, helper.base, directoriesAbove(paths))

/** Returns the 409 for a path below which a file cannot be. */
function refusalOf({ path, target }: Obstacle, helper: Helper, client: EngineClient): Failure {
  const directory = posix.join(helper.mounted, helper.inside)
  if (target !== undefined) return linkConflict(directory, { path, target }, client)
  return conflict(
    `${path} in ${directory} on host ${client.host} is a file, and the stack has files below that path: move it away`,
  )
}

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
 * Checks the directories on the way to files, and returns the files that can exist: those that are
 * not below another file.
 *
 * @throws 409 if one of the directories is a symbolic link
 */
export async function refuseLinksAbove(
  client: EngineClient,
  helper: Helper,
  paths: readonly string[],
): Promise<string[]> {
  const obstacles = await obstaclesAbove(client, helper, paths)
  const link = obstacles.find(({ target }) => target !== undefined)
  if (link) throw refusalOf(link, helper, client)
  return paths.filter((path) => !obstacles.some((one) => isBelow(path, one)))
}
