import { type Failure, invalid, unusable } from '../errors.ts'
import { foldedPath, linkTarget, parentsOf, shownPath } from './file-path.ts'

/** The paths of a stack's files, each with its target if it is a link. */
export type TreeShape = ReadonlyMap<string, { link?: string | undefined }>

/**
 * Checks that a stack's files can be written as a directory on any host: no file where another path
 * needs a directory, nothing below a link, and no two paths that a file system may take for one.
 *
 * @param changed the paths that are new or changed: a pair of others was stored already, by an
 *   earlier version
 * @throws 422 for such a pair of paths, 400 for a link that leads out of the directory
 */
export function checkShape(shape: TreeShape, changed: ReadonlySet<string>): void {
  const spellings = new Map<string, string>()
  const directories = new Set<string>()
  for (const path of shape.keys()) checkSpelling(path, spellings, changed)
  for (const [path, { link }] of shape) {
    for (const parent of parentsOf(path)) {
      // Those above it were checked with it.
      if (directories.has(parent)) break
      directories.add(parent)
      checkParent(path, parent, shape, spellings)
    }
    if (link !== undefined) checkLink(path, link, shape)
  }
}

function checkSpelling(
  path: string,
  spellings: Map<string, string>,
  changed: ReadonlySet<string>,
): void {
  const folded = foldedPath(path)
  const other = spellings.get(folded)
  if (other !== undefined && (changed.has(path) || changed.has(other))) throw sameFile(path, other)
  spellings.set(folded, path)
}

function checkParent(
  path: string,
  parent: string,
  shape: TreeShape,
  spellings: ReadonlyMap<string, string>,
): void {
  const above = spellings.get(foldedPath(parent))
  if (above === undefined) return
  const isLink = shape.get(above)?.link !== undefined
  throw unusable(
    `${shownPath(path)}: ${shownPath(above)} is a ${isLink ? 'link' : 'file'}, not a directory`,
  )
}

/** The target of a link may be missing, but there is no second link on the way to it. */
function checkLink(path: string, link: string, shape: TreeShape): void {
  const target = linkTarget(path, link)
  for (const step of [target, ...parentsOf(target)]) {
    if (shape.get(step)?.link === undefined) continue
    throw invalid(
      `${shownPath(path)}: its target ${shownPath(target)} is behind the link ${shownPath(step)}; a link must lead to a file or a directory`,
    )
  }
}

const sameFile = (path: string, other: string): Failure =>
  unusable(
    `${shownPath(path)} and ${shownPath(other)} differ only in case or in how letters are composed, so a file system may take them for one`,
  )

/** Returns whether one of the paths contains or is `path`. */
export const isCovered = (path: string, covers: ReadonlySet<string>): boolean =>
  covers.has(path) || [...parentsOf(path)].some((parent) => covers.has(parent))
