import type { Printer } from '../output/print.ts'
import { clean, widthOf } from '../output/text.ts'
import { memory } from '../output/units.ts'
import type { StackDifference } from './find-change.ts'
import type { FolderEntry } from './folder-entry.ts'
import type { FolderFiles, LeftOut } from './folder-files.ts'
import { shortList } from './short-list.ts'
import { staying, unsentData } from './unsent-data.ts'

/** What one command sends, for people. */
export interface Sent {
  /** The names of compose file, .env and overlays. */
  names: readonly string[]
  found: FolderFiles
  /** What loads and is probably a mistake, such as a variable that is not set. */
  warnings: readonly string[]
}

/** More lines of one list are not shown. */
const linesMax = 15
/**
 * Prints what is sent, what is left out and why, on standard error. An update sends only what
 * changed of it.
 */
export function showFolder(
  { names, found, warnings }: Sent,
  print: Printer,
  verb: 'sending' | 'found' = 'sending',
): void {
  const entries = [...found.entries.values()]
  const total = entries.length === 0 ? '' : ` and ${countOf(entries)}`
  print.note(`${verb} ${clean(names.join(', '))}${total}`)
  showRows(groupsOf(entries), print)
  showList('not sending', [...found.leftOut.values()], print)
  showList('not in this directory', [...found.outside.values()], print)
  showList('missing', [...found.missing.values()], print)
  const empty = [...found.empty].map((path) => ({ path: `${path || '.'}/`, reason: '' }))
  showList(
    'empty here, so empty for the stack too unless its host has something there',
    empty,
    print,
  )
  for (const warning of warnings) print.note(`warning: ${clean(warning)}`)
}

/** Returns single files in a line, then a row for each directory. */
function groupsOf(entries: readonly FolderEntry[]): LeftOut[] {
  const groups = new Map<string, FolderEntry[]>()
  for (const entry of entries) {
    const { directory, why } = entry.origin
    const key = JSON.stringify(directory === undefined ? [] : [directory, why])
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()].map((group) => {
    const { directory, why } = group[0]?.origin ?? { why: '' }
    if (directory === undefined)
      return { path: shortList(group.map(({ path }) => path)), reason: '' }
    return { path: `${directory || '.'}/`, reason: `${why}: ${countOf(group)}` }
  })
}

function showList(title: string, rows: readonly LeftOut[], print: Printer): void {
  if (rows.length === 0) return
  print.note(`${title}:`)
  showRows(rows, print)
}

function showRows(rows: readonly LeftOut[], print: Printer): void {
  const shown = rows.slice(0, linesMax).map(({ path, reason }) => ({ path: clean(path), reason }))
  const width = Math.min(
    40,
    Math.max(0, ...shown.filter((row) => row.reason !== '').map(({ path }) => widthOf(path))),
  )
  for (const { path, reason } of shown) {
    const gap = ' '.repeat(Math.max(0, width - widthOf(path)))
    print.note(reason === '' ? `  ${path}` : `  ${path}${gap}  ${reason}`)
  }
  if (rows.length > linesMax) print.note(`  and ${rows.length - linesMax} more`)
}

/** Prints what an update changes, on standard error. */
export function showDifference(difference: StackDifference, print: Printer): void {
  const { entries, texts, unchanged, oldOverlays } = difference
  const changed = [...Object.keys(texts), ...entries.map(({ path }) => path)]
  if (changed.length > 0) print.note(`changed: ${shortList(changed)}; ${unchanged} unchanged`)
  else print.note(`nothing changed in ${unchanged} files`)
  if (oldOverlays.length > 0) print.note(`deleting: ${shortList(oldOverlays)}`)
}

function countOf(entries: readonly FolderEntry[]): string {
  const size = entries.reduce((sum, entry) => sum + ('link' in entry ? 0 : entry.size), 0)
  return `${entries.length} ${entries.length === 1 ? 'file' : 'files'}, ${memory(size)}`
}

/** Prints what would be sent, and that nothing was. */
export function showDryRun(sent: Sent, print: Printer): void {
  print.data(folderView(sent), () => {
    showFolder(sent, print)
    const unsent = unsentData(sent.found)
    if (unsent.length > 0) print.note(`warning: ${staying(unsent, sent.found.root)}`)
    print.note('dry run: nothing was sent')
  })
}

/** Returns what is sent as an object, for `--output json`. */
export const folderView = ({ names, found, warnings }: Sent) => ({
  stack_files: names,
  files: [...found.entries.values()].map((entry) =>
    'link' in entry
      ? { path: entry.path, size: 0, mode: null, link: entry.link }
      : {
          path: entry.path,
          size: entry.size,
          mode: entry.mode.toString(8).padStart(4, '0'),
          link: null,
        },
  ),
  left_out: [...found.leftOut.values()],
  outside: [...found.outside.values()],
  missing: [...found.missing.values()],
  unsent_data: unsentData(found).map(({ path }) => path),
  warnings,
})
