import { type HostPath, hostPathsOf } from '../host-paths.ts'
import type { Project } from '../project.ts'
import { Problem } from '../yaml/problem.ts'
import type { LoadContext } from './load-file.ts'
import { withLocation } from './with-location.ts'

/**
 * A path of the host and its place in the file, as a prefix of messages:
 * `compose.yaml:7:5: secrets.key.file: `.
 */
export type PlacedPath = Omit<HostPath, 'at' | 'near'> & { place: string }

/** The maximum number of paths to return. Further ones are not checked before a deploy. */
const pathsMax = 1000

/** Returns the paths of the host that a project uses, with their places in its files. */
export function placedPaths(project: Project, context: LoadContext): PlacedPath[] {
  const found: PlacedPath[] = []
  for (const { at, near, ...path } of hostPathsOf(project)) {
    if (found.length >= pathsMax) break
    found.push({
      ...path,
      place: withLocation(new Problem('semantic', '', { path: at, near }), context),
    })
  }
  return found
}
