import type { FoundLink } from '../../functions/core/engine/engine.ts'
import type { EngineState } from './engine-state.ts'

/** Returns the first symbolic link of each path below a directory, which may be the path itself. */
export function findLinks(
  { links }: EngineState,
  directory: string,
  paths: readonly string[],
): FoundLink[] {
  const found = new Map<string, FoundLink>()
  for (const path of paths) {
    const names = path.split('/').filter((name) => name !== '')
    const components = names.map((_, index) => names.slice(0, index + 1).join('/'))
    const first = components.find((component) => links.has(`${directory}/${component}`))
    if (first) found.set(first, { path: first, target: links.get(`${directory}/${first}`)! })
  }
  return [...found.values()]
}
