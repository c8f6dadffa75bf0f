import { printValue } from '../yaml/print-value.ts'
import type { Path, Tree, TreeMap } from '../yaml/tree.ts'
import { copyTree, isMap, mapOf } from '../yaml/tree.ts'

type Merge = (base: Tree, over: Tree, path: Path) => Tree

/**
 * Converts a mapping to a list of `key=value`, sorted by key, with `key` alone for null. A single
 * value becomes a list.
 */
export function asSequence(value: Tree): Tree[] {
  if (Array.isArray(value)) return value
  if (!isMap(value)) return value === null ? [] : [value]
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, item]) => {
      if (Array.isArray(item)) return item.map((one) => `${key}=${printValue(one)}`)
      return item === null ? [key] : [`${key}=${printValue(item)}`]
    })
}

/** Converts a list of names to a mapping in which each has a copy of `initial`. */
export function asMapping(value: Tree, initial: Tree = null): Tree {
  if (!Array.isArray(value)) return value
  return mapOf(value.map((name) => [printValue(name), copyTree(initial)] as const))
}

/** Converts `depends_on` to its long form. */
export const asDependencies = (value: Tree): Tree =>
  asMapping(
    value,
    mapOf<Tree>([
      ['condition', 'service_started'],
      ['required', true],
    ]),
  )

/** Appends the hosts that the base does not have yet. */
export function mergeExtraHosts(base: Tree, over: Tree): Tree {
  const hosts = asSequence(base)
  return [...hosts, ...asSequence(over).filter((host) => !hosts.includes(host))]
}

/**
 * Merges logging options, unless both name different drivers: then the later one replaces the
 * earlier.
 */
export function mergeLogging(base: Tree, over: Tree, path: Path, merge: Merge): Tree {
  if (!isMap(base) || !isMap(over)) return merge(base, over, path)
  const differs =
    base.driver !== over.driver && base.driver !== undefined && over.driver !== undefined
  return differs ? over : merge(base, over, path)
}

/** Merges address pools by subnet. */
export function mergeIpam(base: Tree, over: Tree, path: Path, merge: Merge): Tree {
  if (!Array.isArray(base) || !Array.isArray(over)) return merge(base, over, path)
  const pools = [...base]
  for (const pool of over) {
    const subnet = isMap(pool) ? pool.subnet : undefined
    const index = pools.findIndex((known) => isMap(known) && known.subnet === subnet)
    if (index < 0 || !isMap(pool)) pools.push(pool)
    else pools[index] = mergePool(pools[index] as TreeMap, pool)
  }
  return pools
}

function mergePool(base: TreeMap, over: TreeMap): TreeMap {
  const merged = mapOf([...Object.entries(base), ...Object.entries(over)])
  if (isMap(base.aux_addresses) && isMap(over.aux_addresses)) {
    merged.aux_addresses = mapOf([
      ...Object.entries(base.aux_addresses),
      ...Object.entries(over.aux_addresses),
    ])
  }
  return merged
}
