import { posix } from 'node:path'
import { conflict, type Failure } from '../../../functions/core/errors.ts'
import type { HostFile, HostLink } from '../../../functions/core/records/host-engine.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import type { Helper } from '../helper-containers/helper.ts'
import { mountPoint } from '../helper-containers/helper-container.ts'
import { statPath } from '../inspect/path-stat.ts'
import type { EngineClient } from '../transport/client.ts'
import { archive, archiveDeadline, unpacked } from './archive.ts'
import { uniqueInstant } from './file-stat.ts'
import { type HostAccess, hostPathOf } from './host-access.ts'

/** The mode of a symbolic link, which the kernel ignores. */
const linkMode = 0o777

/**
 * Writes files, all with one unique modification time. A file that still has that time has the
 * written content.
 */
export async function putFiles(
  { client, memory }: HostAccess,
  helper: Helper,
  files: readonly (HostFile | HostLink)[],
): Promise<void> {
  const owner = helper.isStack ? {} : await ownerOf(client, helper)
  const changed = uniqueInstant()
  const placed = files.map((file) => ({
    ...('link' in file ? { ...file, content: new Uint8Array(), mode: linkMode } : file),
    ...owner,
    changed,
    path: posix.join(helper.inside, file.path),
  }))
  try {
    await client.json({
      method: 'PUT',
      path: `/containers/${helper.id}/archive`,
      // Without it the Engine replaces a whole directory by a file of the same name.
      query: { path: mountPoint, noOverwriteDirNonDir: true },
      file: await tarOf(placed),
      deadline: archiveDeadline,
    })
  } catch (error) {
    throw (await directoryAmong(client, helper, files)) ?? error
  }
  for (const file of files) {
    if ('link' in file) continue
    const { path, mode, content } = file
    memory.keep(hostPathOf(helper, path), { size: content.length, mode, changed }, content)
  }
}

/** Returns the 409 for the first path of a file or link that is a directory, if there is one. */
async function directoryAmong(
  client: EngineClient,
  helper: Helper,
  files: readonly { path: string }[],
): Promise<Failure | undefined> {
  for (const { path } of files) {
    const stat = await statPath(client, helper.id, posix.join(helper.base, path))
    if (stat?.kind !== 'directory') continue
    const directory = posix.join(helper.mounted, helper.inside)
    return conflict(
      `${path} in ${directory} on host ${client.host} is a directory, and the stack has a file at that path: move it away`,
    )
  }
  return undefined
}

/** Returns the owner of the directory, which is the first entry of its archive. */
async function ownerOf(client: EngineClient, helper: Helper) {
  for await (const { uid, gid } of unpacked(await archive(client, helper, ''), () => false)) {
    return { uid, gid }
  }
  return {}
}
