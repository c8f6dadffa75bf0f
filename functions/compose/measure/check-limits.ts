import type { Project } from '../project.ts'
import { attempt, type Report, raise, semantic } from '../yaml/problem.ts'
import type { Path, TreeMap } from '../yaml/tree.ts'
import { isMap, mapAt } from '../yaml/tree.ts'
import { type LimitName, limits, limitWords } from './limits.ts'
import { measure } from './measure.ts'
import { portsIn } from './ranges.ts'

/**
 * Checks the size of a project.
 *
 * @throws Problem that names the limit, its value and the count
 */
export function checkLimits(project: Project, report: Report = raise): void {
  for (const [name, { count, path }] of measure(project)) {
    attempt(() => checkLimit(name, count, path), report, undefined)
  }
}

/**
 * Checks one count. `path` is the position in the files with the largest share of it.
 *
 * @throws Problem if the count exceeds the limit
 */
export function checkLimit(name: LimitName, count: number, path: Path): void {
  if (count <= limits[name]) return
  const detail = `the project has ${count} ${limitWords[name]}; the limit \`${name}\` is ${limits[name]}`
  throw semantic(path, detail)
}

/**
 * Counts the ports of a tree before its port ranges are expanded.
 *
 * @throws Problem if there are more than a project may have
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
