import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import { unprocessable } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { SourceTree } from '../ports/source-reader.ts'
import { judgeSource } from './judge-source.ts'
import { addressOf } from './look-at-source.ts'
import { type FolderScan, scanFolders } from './scan-folders.ts'
import { sourceLimits } from './source-limits.ts'
import { getSource } from './source-record.ts'

export type ReadFoldersPorts = JudgePorts &
  Needs<'registries' | 'settings' | 'sourceReader' | 'sources'>

/** The folders of a source, and the revision that was read. */
export type ReadFolders = FolderScan & Pick<SourceTree, 'about' | 'revision'>

/**
 * Asks a source what its reference names now, and compares its folders that have a compose file
 * with the stacks that `ports` show. Reads no files, and records nothing: the next look does.
 *
 * @throws 404 if there is no such source, 422 if its account may not read it now, SourceFailure if
 *   it cannot be read
 */
export async function readFolders(
  name: string,
  ports: ReadFoldersPorts,
  signal: AbortSignal,
): Promise<ReadFolders> {
  const source = await getSource(name, ports)
  const standing = await judgeSource(source, ports)
  if (standing.kind === 'blocked') {
    throw unprocessable(
      `source ${name}: it must not be read now: ${standing.reason}; an account with the rights can save it again`,
      { reason: 'source-refused' },
    )
  }
  const address = await addressOf(source, ports)
  const { revision } = await ports.sourceReader.look(address, signal)
  const wanted = { paths: [], limits: sourceLimits(await ports.settings.get()) }
  const tree = await ports.sourceReader.open(address, revision, wanted, signal)
  try {
    const scan = scanFolders(tree, source, await ports.stacks.list())
    return { ...scan, revision: tree.revision, about: tree.about }
  } finally {
    await tree.close()
  }
}
