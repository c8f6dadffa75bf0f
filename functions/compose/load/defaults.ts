import type { Path, Patterns, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapChildren, patternTree } from '../yaml/tree.ts'

/** Sets the default values of the Compose specification. The tree must be in long form. */
export function setDefaults(tree: TreeMap): TreeMap {
  return fill(tree, [], rules) as TreeMap
}

function fill(value: Tree, path: Path, patterns: Patterns<Defaults>): Tree {
  const filled = mapChildren(value, path, patterns, fill)
  if (!isMap(value) || !isMap(filled)) return filled
  for (const [key, initial] of patterns.rule?.(value) ?? []) filled[key] ??= initial
  return filled
}

type Defaults = (value: TreeMap) => [string, Tree][]

const deviceRequest: Defaults = (value) => ('device_ids' in value ? [] : [['count', 'all']])

const rules = patternTree<Defaults>({
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
