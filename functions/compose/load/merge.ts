import { semantic } from '../yaml/problem.ts'
import type { Path, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapOf, patternTree, ruleAt } from '../yaml/tree.ts'
import {
  asDependencies,
  asMapping,
  asSequence,
  mergeExtraHosts,
  mergeIpam,
  mergeLogging,
} from './merge-rules.ts'

/** The merge of an attribute that does not follow the general rule. */
export type MergeRule = (base: Tree, over: Tree, path: Path) => Tree

/**
 * Merges a later file over an earlier one: mappings merge, lists append, scalars are replaced, null
 * keeps the earlier value. The table below lists attributes with special rules. Source: the Compose
 * specification, "Merge Compose files". Modifies neither argument.
 *
 * @throws Problem if the kinds of two values do not match
 */
export function mergeTrees(base: TreeMap, over: TreeMap): TreeMap {
  return mergeMappings(base, over, [])
}

/** Merges a service over the one it extends. */
export const mergeServices = (base: TreeMap, over: TreeMap, name: string): TreeMap =>
  mergeMappings(base, over, ['services', name])

function mergeMappings(base: TreeMap, over: TreeMap, path: Path): TreeMap {
  const merged = mapOf(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const before = base[key]
    merged[key] = before === undefined ? value : mergeValues(before, value, [...path, key])
  }
  return merged
}

const mergeValues: MergeRule = (base, over, path) => {
  if (over === null) return base
  if (base === null) return over
  const rule = ruleAt(rules, path)
  return rule ? rule(base, over, path) : mergeByKind(base, over, path)
}

const mergeByKind = (base: Tree, over: Tree, path: Path): Tree => {
  if (isMap(base) && isMap(over)) return mergeMappings(base, over, path)
  if (Array.isArray(base) && Array.isArray(over)) return [...base, ...over]
  if (typeof base === 'object') {
    throw semantic(path, 'cannot override: a mapping, a list and a value do not merge')
  }
  return over
}

const replace: MergeRule = (_, over) => over
const append: MergeRule = (base, over) => [...asSequence(base), ...asSequence(over)]
const build: MergeRule = (base, over, path) => mergeByKind(asBuild(base), asBuild(over), path)
const keyed: MergeRule = (base, over, path) => mergeByKind(asMapping(base), asMapping(over), path)
const dependencies: MergeRule = (base, over, path) =>
  mergeByKind(asDependencies(base), asDependencies(over), path)

const asBuild = (value: Tree): Tree =>
  typeof value === 'string' ? mapOf([['context', value]]) : value

const rules = patternTree<MergeRule>({
  'networks.*.ipam.config': (base, over, path) => mergeIpam(base, over, path, mergeByKind),
  'networks.*.labels': append,
  'volumes.*.labels': append,
  'services.*.annotations': append,
  'services.*.build': build,
  'services.*.build.additional_contexts': append,
  'services.*.build.args': append,
  'services.*.build.extra_hosts': mergeExtraHosts,
  'services.*.build.labels': append,
  'services.*.command': replace,
  'services.*.depends_on': dependencies,
  'services.*.deploy.labels': append,
  'services.*.dns': append,
  'services.*.dns_opt': append,
  'services.*.dns_search': append,
  'services.*.entrypoint': replace,
  'services.*.env_file': append,
  'services.*.environment': append,
  'services.*.extra_hosts': mergeExtraHosts,
  'services.*.healthcheck.test': replace,
  'services.*.label_file': append,
  'services.*.labels': append,
  'services.*.logging': (base, over, path) => mergeLogging(base, over, path, mergeByKind),
  'services.*.models': keyed,
  'services.*.networks': keyed,
  'services.*.sysctls': append,
  'services.*.tmpfs': append,
  'services.*.ulimits.*': replace,
})
