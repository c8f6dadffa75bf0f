import type { SourceFolders } from '../api/types.ts'
import { failed } from '../failure.ts'
import { shortList } from '../folder/short-list.ts'
import { sourcePatience } from '../source-patience.ts'
import type { Work } from './work.ts'

/** The folder of a stack in a source. */
export interface ChosenFolder {
  /** '' is the top of the source. */
  path: string
  /** Undefined if the service lists only other ones, as there are too many. */
  composeFile: string | undefined
  /** What was read. */
  found: SourceFolders
}

/**
 * Returns the folder that `--path` names, or the only one. Throws a `CliFailure` that lists the
 * folders with a compose file if there is another number of them.
 */
export async function chooseFolder(
  source: string,
  path: string | undefined,
  { client }: Work,
): Promise<ChosenFolder> {
  const request = { path: { name: source }, timeout: sourcePatience }
  const { value: found } = await client.get('/sources/{name}/folders', request)
  const { folders } = found
  const wanted = path === undefined ? onlyOf(folders) : plain(path)
  const folder = folders.find((one) => one.path === wanted)
  if (folder) return { path: folder.path, composeFile: folder.compose_file, found }
  if (wanted !== undefined && found.is_truncated) {
    return { path: wanted, composeFile: undefined, found }
  }
  if (folders.length === 0) throw failed(`the source ${source} has no compose file`)
  const listed = shortList(folders.map((one) => (one.path === '' ? '.' : one.path)))
  const what = wanted === undefined ? 'has several folders' : `has no compose file in ${path}`
  throw failed(`the source ${source} ${what}`, { hint: `choose one with --path: ${listed}` })
}

/** Returns the only folder, or the top of the source if that is one. */
function onlyOf(folders: SourceFolders['folders']): string | undefined {
  if (folders.some(({ path }) => path === '')) return ''
  return folders.length === 1 ? folders[0]?.path : undefined
}

/** `./apps/shop/` → `apps/shop`; `.` → ''. */
const plain = (path: string): string => path.replace(/^(\.?\/)+|\/+$/g, '').replace(/^\.$/, '')
