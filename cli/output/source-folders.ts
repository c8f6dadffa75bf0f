import type { SourceFolders } from '../api/types.ts'
import type { Printer } from './print.ts'
import { sourceStateText } from './source-state.ts'

/** Prints the folders of a source with their stacks, and the stacks whose folder is gone. */
export function showSourceFolders(found: SourceFolders, print: Printer): void {
  const folders = found.folders.map(({ path, stack, state, followed_by: followers }) => ({
    path,
    stack: followers.length > 0 ? followers.join(', ') : stack,
    state,
  }))
  const gone = found.gone.map(({ path, stack }) => ({ path, stack, state: 'gone' }))
  print.table(
    [...folders, ...gone],
    [
      { head: 'FOLDER', text: ({ path }) => (path === '' ? '.' : path) },
      { head: 'STACK', text: ({ stack }) => stack },
      { head: 'STATE', text: ({ state }) => state },
    ],
  )
  print.note(`read: ${sourceStateText(found)}`)
  if (found.is_truncated) {
    print.note(`only the first ${found.folders.length} folders are listed: there are more`)
  }
}
