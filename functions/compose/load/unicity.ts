import { partBefore } from '../part-before.ts'
import { printValue } from '../yaml/print-value.ts'
import { attempt, type Report, raise, semantic } from '../yaml/problem.ts'
import type { Path, Patterns, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapChildren, patternTree } from '../yaml/tree.ts'
import { parseVolume } from './short-volume.ts'

/**
 * Returns the key of a list entry. A later entry replaces an earlier one with the same key, at its
 * position.
 */
type Key = (item: Tree, path: Path) => string

/**
 * Removes list entries that later entries replace, in lists with keyed entries. Source: the Compose
 * specification, "Merge".
 */
export function enforceUnicity(tree: TreeMap, report: Report = raise): TreeMap {
  const unique = (value: Tree, path: Path, patterns: Patterns<Key>): Tree => {
    if (isMap(value)) return mapChildren(value, path, patterns, unique)
    const key = Array.isArray(value) ? patterns.rule : undefined
    if (!Array.isArray(value) || !key) return value
    const byKey = new Map<string | number, Tree>()
    // A Map keeps the position of a key's first entry.
    for (const [index, item] of value.entries()) {
      byKey.set(
        attempt<string | number>(() => key(item, [...path, index]), report, index),
        item,
      )
    }
    return [...byKey.values()]
  }
  return unique(tree, [], keys) as TreeMap
}

const keyValue: Key = (item) => partBefore(printValue(item), '=')
const whole: Key = (item) => printValue(item)

const mount =
  (directory: string): Key =>
  (item) => {
    if (!isMap(item)) return `${directory}/${printValue(item)}`
    return typeof item.target === 'string'
      ? item.target
      : `${directory}/${printValue(item.source ?? '')}`
  }

const volume: Key = (item, path) => {
  if (typeof item === 'string') return parseVolume(item, path).target as string
  if (isMap(item) && typeof item.target === 'string') return item.target
  throw semantic(path, 'a mount needs a target')
}

const device: Key = (item, path) => {
  if (isMap(item)) {
    if (typeof item.target === 'string') return item.target
    throw semantic(path, 'a device needs a target')
  }
  const [source = '', target = source] = printValue(item).split(':')
  return target
}

const port: Key = (item, path) => {
  if (!isMap(item)) return printValue(item)
  if (item.target === undefined) throw semantic(path, 'a port needs a target')
  const { host_ip = '0.0.0.0', published = '', target = '', protocol = 'tcp' } = item
  return `${printValue(host_ip)}:${printValue(published)}:${printValue(target)}/${printValue(protocol)}`
}

const envFile: Key = (item) => (isMap(item) ? printValue(item.path ?? '') : printValue(item))

const keys = patternTree<Key>({
  'networks.*.labels': keyValue,
  'volumes.*.labels': keyValue,
  'services.*.annotations': keyValue,
  'services.*.build.additional_contexts': keyValue,
  'services.*.build.args': keyValue,
  'services.*.build.labels': keyValue,
  'services.*.build.platform': whole,
  'services.*.build.platforms': whole,
  'services.*.build.tags': whole,
  'services.*.cap_add': whole,
  'services.*.cap_drop': whole,
  'services.*.configs': mount(''),
  'services.*.deploy.labels': keyValue,
  'services.*.devices': device,
  'services.*.dns': whole,
  'services.*.dns_opt': whole,
  'services.*.dns_search': whole,
  'services.*.env_file': envFile,
  'services.*.environment': keyValue,
  'services.*.expose': whole,
  'services.*.label_file': whole,
  'services.*.labels': keyValue,
  'services.*.links': keyValue,
  'services.*.networks.*.aliases': whole,
  'services.*.networks.*.link_local_ips': whole,
  'services.*.ports': port,
  'services.*.profiles': whole,
  'services.*.secrets': mount('/run/secrets'),
  'services.*.sysctls': keyValue,
  'services.*.tmpfs': keyValue,
  'services.*.volumes': volume,
})
