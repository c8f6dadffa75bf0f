import type { Project } from '../project.ts'
import { semantic } from '../yaml/problem.ts'
import type { Path, TreeMap } from '../yaml/tree.ts'
import { isMap, mapAt } from '../yaml/tree.ts'
import { type LimitName, limits, limitWords } from './limits.ts'
import { measure } from './measure.ts'
import { portsIn } from './ranges.ts'

/**
 * Throws a `Problem` that names the limit, its value and the count for a project that is larger
 * than any honest one.
 */
export function checkLimits(project: Project): void {
  for (const [name, { count, path }] of measure(project)) checkLimit(name, count, path)
}

/** Throws a `Problem` if a count exceeds a limit. `path` is the place that has most of it. */
export function checkLimit(name: LimitName, count: number, path: Path): void {
  if (count <= limits[name]) return
  const detail = `the project has ${count} ${limitWords[name]}; the limit \`${name}\` is ${limits[name]}`
  throw semantic(path, detail)
}

/**
 * Throws a `Problem` for a tree whose port ranges would be written out to more ports than a project
 * may have.
 */
export function checkPortRanges(tree: TreeMap): void {
  let count = 0
  for (const [name, service] of Object.entries(mapAt(tree, 'services'))) {
    const ports = isMap(service) && Array.isArray(service.ports) ? service.ports : []
    for (const [index, port] of ports.entries()) {
      count += typeof port === 'string' ? portsIn(port) : 1
      checkLimit('ports', count, ['services', name, 'ports', index])
    }
  }
}
