import { clean } from '../output/text.ts'
import type { FolderFiles } from './folder-files.ts'
import { isInAny } from './path-rules.ts'
import { shortList } from './short-list.ts'

/** A mounted file or directory that has data here which is not sent. */
export interface UnsentData {
  /** As compose files name it: `./data`, or `.` for the directory of the project. */
  path: string
  /** The patterns of `--include` that send all of it; none if nothing does. */
  patterns: readonly string[]
}

/** Returns the mounts whose data stays in the directory, sorted by path. */
export function unsentData({ unsent, leftOut, mounted }: FolderFiles): UnsentData[] {
  const left = [...unsent].flatMap(([path, pattern]) =>
    leftOut.has(path) ? { path: path.replace(/\/$/, ''), pattern } : [],
  )
  return [...mounted].sort().flatMap(([mount, end]) => {
    const inside = left.filter(({ path }) => isInAny(path, [end]) || isInAny(end, [path]))
    if (inside.length === 0) return []
    const patterns = inside.flatMap(({ pattern }) => pattern ?? [])
    const isAll = patterns.length === inside.length
    return { path: mount === '' ? '.' : `./${mount}`, patterns: isAll ? patterns : [] }
  })
}

/** Returns the patterns of `--include` that send all data; none if nothing does. */
export function sendingPatterns(unsent: readonly UnsentData[]): string[] {
  const isAll = unsent.every(({ patterns }) => patterns.length > 0)
  return isAll ? [...new Set(unsent.flatMap(({ patterns }) => patterns))] : []
}

/** Returns which data stays where, as the beginning of a sentence. */
export const staying = (unsent: readonly UnsentData[], root: string) =>
  `the data in ${shortList(unsent.map(({ path }) => path))} is not sent: it stays in ${clean(root)}`

/**
 * Returns what to report to the service: nothing if it knows that already, or if it is older than
 * the report and would refuse it.
 */
export function newReport(
  known: readonly string[] | undefined,
  found: readonly string[],
): readonly string[] | undefined {
  const isNew = known !== undefined && [...known].sort().join('\n') !== [...found].sort().join('\n')
  return isNew ? found : undefined
}
