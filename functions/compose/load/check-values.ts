import { printValue } from '../yaml/print-value.ts'
import { attempt, type Report, raise, semantic } from '../yaml/problem.ts'
import type { Path, Patterns, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapChildren, patternTree } from '../yaml/tree.ts'
import { isAddress } from './short-port.ts'

/**
 * Checks rules about single values that the schema cannot express.
 *
 * @throws Problem of the kind `semantic`
 */
export function checkValues(tree: TreeMap, report: Report = raise): void {
  const check = (value: Tree, path: Path, patterns: Patterns<Rule>): void => {
    attempt(() => patterns.rule?.(value, path), report, undefined)
    mapChildren(value, path, patterns, (child, at, below) => {
      check(child, at, below)
      return child
    })
  }
  check(tree, [], rules)
}

type Rule = (value: Tree, path: Path) => void

const volume: Rule = (value, path) => {
  if (!isMap(value) || value.external !== true) return
  for (const key of Object.keys(value)) {
    if (key === 'name' || key === 'external' || key.startsWith('x-')) continue
    throw semantic(path, `conflicting parameters "external" and "${key}" specified`)
  }
}

const fileObject =
  (...sources: string[]): Rule =>
  (value, path) => {
    if (!isMap(value)) throw semantic(path, `one of ${sources.join('|')} must be set`)
    const given = sources.filter((source) => Object.hasOwn(value, source))
    if (
      value.external === true ||
      value.driver !== undefined ||
      value.template_driver !== undefined
    ) {
      return
    }
    if (given.length === 0) throw semantic(path, `one of ${sources.join('|')} must be set`)
    if (given.length > 1) throw semantic(path, `${given.join('|')} are exclusive`)
  }

const deviceRequest: Rule = (value, path) => {
  if (isMap(value) && 'count' in value && 'device_ids' in value) {
    throw semantic(path, '"count" and "device_ids" attributes are exclusive')
  }
}

const port: Rule = (value, path) => {
  const ip = isMap(value) ? printValue(value.host_ip ?? '') : ''
  if (ip !== '' && !isAddress(ip))
    throw semantic([...path, 'host_ip'], `not an IP address: "${ip}"`)
}

const rules = patternTree<Rule>({
  'configs.*': fileObject('file', 'environment', 'content'),
  'secrets.*': fileObject('file', 'environment'),
  'volumes.*': volume,
  'services.*.deploy.resources.reservations.devices.*': deviceRequest,
  'services.*.gpus.*': deviceRequest,
  'services.*.ports.*': port,
})
