import type { Path, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapOf, patternTable } from '../yaml/tree.ts'

/** Fills in what the specification says of attributes that were left out. The tree is in long form. */
export function setDefaults(tree: TreeMap): TreeMap {
  return fill(tree, []) as TreeMap
}

function fill(value: Tree, path: Path): Tree {
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]))
  if (!isMap(value)) return value
  const filled = mapOf(
    Object.entries(value).map(([key, child]) => [key, fill(child, [...path, key])] as const),
  )
  for (const [key, initial] of rules(path)?.(value) ?? []) filled[key] ??= initial
  return filled
}

type Defaults = (value: TreeMap) => [string, Tree][]

const deviceRequest: Defaults = (value) => ('device_ids' in value ? [] : [['count', 'all']])

const rules = patternTable<Defaults>({
  'services.*.build': () => [['context', '.']],
  'services.*.deploy.resources.reservations.devices.*': deviceRequest,
  'services.*.gpus.*': deviceRequest,
  'services.*.ports.*': () => [
    ['mode', 'ingress'],
    ['protocol', 'tcp'],
  ],
  'services.*.secrets.*': (value) =>
    typeof value.source === 'string' ? [['target', `/run/secrets/${value.source}`]] : [],
})
