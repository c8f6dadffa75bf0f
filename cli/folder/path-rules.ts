import {
  foldedPath,
  isAtOrBelow,
  linkTarget,
  parentsOf,
  pathProblem,
} from '../../functions/core/stacks/file-path.ts'
import { clean } from '../output/text.ts'
import type { FolderEntry } from './folder-entry.ts'

/** Returns why the service refuses this path, or undefined if it accepts it. */
export const refusedPath = (path: string): string | undefined => {
  const problem = pathProblem(path)
  return problem === undefined ? undefined : `its path ${problem}`
}

/** Returns why the service refuses a link by its text, or undefined if it accepts it. */
export function refusedLink(path: string, target: string): string | undefined {
  try {
    linkTarget(path, target)
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error)) throw error
    const shown = clean(target)
    if (target.startsWith('/')) return `a link with the absolute target ${shown}`
    return `a link to ${shown}, which is outside of the directory or contains the link`
  }
}

/**
 * Returns the entries that the service refuses because of others, with the reason: a path that
 * differs from another only in case, and a link that leads to or through another link.
 */
export function refusedTogether(
  entries: ReadonlyMap<string, FolderEntry>,
): { path: string; reason: string }[] {
  const spellings = new Map<string, string>()
  return [...entries.values()].flatMap((entry) => {
    const folded = foldedPath(entry.path)
    const other = spellings.get(folded)
    if (other !== undefined)
      return { path: entry.path, reason: `differs from ${clean(other)} only in case or accents` }
    spellings.set(folded, entry.path)
    const through = 'link' in entry ? linkOnTheWay(entry.path, entry.link, entries) : undefined
    if (through === undefined) return []
    return { path: entry.path, reason: `a link that leads through another link, ${clean(through)}` }
  })
}

function linkOnTheWay(
  path: string,
  link: string,
  entries: ReadonlyMap<string, FolderEntry>,
): string | undefined {
  const target = linkTarget(path, link)
  return [target, ...parentsOf(target)].find((step) => {
    const entry = entries.get(step)
    return entry !== undefined && 'link' in entry
  })
}

/** Returns whether a path is one of the directories or lies in one. */
export const isInAny = (path: string, directories: Iterable<string>): boolean => {
  for (const directory of directories)
    if (directory === '' || isAtOrBelow(path, directory)) return true
  return false
}

export { foldedPath, parentsOf }
