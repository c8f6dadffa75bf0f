import { posix } from 'node:path'
import { checkedHostPath } from '../../../functions/core/stacks/host-path.ts'
import { mountPoint } from '../helper-containers/helper-container.ts'
import { directoriesAbove } from '../inspect/path-stat.ts'
import { deleteEmptyDirectories } from './delete-files.ts'
import type { HostAccess } from './host-access.ts'

/**
 * Removes the directory of a stack if it is empty, and before that the directories of `paths` in
 * it that are empty. Directories that contain anything stay. Does nothing unless the directory is a
 * direct child of the stacks directory, and not a link.
 *
 * @throws 400 if a path leaves the directory
 */
export async function removeEmptyDirectory(
  { client, helpers }: Pick<HostAccess, 'client' | 'helpers'>,
  directory: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) checkedHostPath(path)
  const { dir: parent, base: name } = posix.parse(posix.normalize(directory))
  if (parent !== helpers.root || !(await helpers.isRealDirectory(directory))) return
  // Each program sees one directory only: a link in the stack leads nowhere in its container.
  const inside = directoriesAbove(paths).reverse()
  const mounted = (path: string) => posix.join(mountPoint, path)
  if (inside.length > 0) await deleteEmptyDirectories(client, directory, inside.map(mounted))
  await deleteEmptyDirectories(client, parent, [mounted(name)])
}
