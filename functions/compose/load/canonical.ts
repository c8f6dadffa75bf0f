import { checkPortRanges } from '../measure/check-limits.ts'
import { normalizePath } from '../paths.ts'
import { printValue } from '../yaml/print-value.ts'
import { attempt, type Report, raise, semantic } from '../yaml/problem.ts'
import type { Path, Patterns, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapChildren, mapOf, patternTree } from '../yaml/tree.ts'
import { asDependencies, asMapping } from './merge-rules.ts'
import type { Placeholders } from './placeholders.ts'
import { parsePorts } from './short-port.ts'
import { parseVolume } from './short-volume.ts'

/** Converts a value from short to long form. `isOpen` reports whether a text has a hidden value. */
type LongForm = (value: Tree, path: Path, report: Report, isOpen: IsOpen) => Tree
type IsOpen = (text: string) => boolean

/**
 * Converts the short forms in a merged tree to long form. String lists, sizes, durations and
 * commands stay unchanged; see `bind`. So do short forms that would have to be taken apart where a
 * value is hidden.
 *
 * @throws Problem
 */
export function canonical(tree: TreeMap, report: Report = raise, hidden?: Placeholders): TreeMap {
  checkPortRanges(tree)
  const isOpen: IsOpen = (text) => hidden?.isIn(text) ?? false
  const transform = (value: Tree, path: Path, patterns: Patterns<LongForm>): Tree => {
    const form = patterns.rule
    const long =
      form && value !== null
        ? attempt(() => form(value, path, report, isOpen), report, value)
        : value
    return withoutBlanks(mapChildren(long, path, patterns, transform), path)
  }
  return transform(tree, [], forms) as TreeMap
}

function withoutBlanks(changed: Tree, path: Path): Tree {
  if (path.length !== 2 || path[0] !== 'services' || !isMap(changed)) return changed
  // Blank entries of `dns` set nothing (`dns: ${UNSET}`); `dns_search: ""` means no search domains.
  if (Array.isArray(changed.dns)) {
    changed.dns = changed.dns.filter((server) => server !== '')
    if (changed.dns.length === 0) delete changed.dns
  }
  return changed
}

const build: LongForm = (value) => (typeof value === 'string' ? mapOf([['context', value]]) : value)
const asList = (value: Tree) => (Array.isArray(value) || isMap(value) ? value : [value])
const list: LongForm = (value) => asList(value)
const names: LongForm = (value) => asMapping(value)
const source: LongForm = (value) => (typeof value === 'string' ? mapOf([['source', value]]) : value)
const service: LongForm = (value) =>
  typeof value === 'string' ? mapOf([['service', value]]) : value
const text: LongForm = (value) => (isMap(value) || Array.isArray(value) ? value : printValue(value))

const envFile: LongForm = (value) =>
  (asList(value) as Tree[]).map((item) => {
    const entry = typeof item === 'string' ? mapOf<Tree>([['path', item]]) : item
    return isMap(entry) && entry.required === undefined
      ? mapOf<Tree>([...Object.entries(entry), ['required', true]])
      : entry
  })

/** Converts `[name=place]` to a mapping. `absolutePaths` later makes the places absolute. */
const contexts: LongForm = (value, path) => {
  if (isMap(value)) {
    const [key] = Object.entries(value).find(([, place]) => typeof place !== 'string') ?? []
    if (key !== undefined) throw semantic([...path, key], 'must be a string')
  }
  if (!Array.isArray(value)) return value
  return mapOf(
    value.map((item, index) => {
      const [name = '', ...place] = printValue(item).split('=')
      if (place.length === 0) throw semantic([...path, index], 'must be name=place')
      return [name, place.join('=')] as const
    }),
  )
}

const sshKeys: LongForm = (value, path) => {
  for (const [index, item] of Array.isArray(value) ? value.entries() : []) {
    if (item === 'default' || printValue(item).includes('=')) continue
    throw semantic([...path, index], 'a key of ssh is "default" or id=path')
  }
  return value
}

const ulimit: LongForm = (value, path, _report, isOpen) => {
  if (isMap(value) || (typeof value === 'number' && Number.isInteger(value))) return value
  if (typeof value === 'string' && isOpen(value)) return value
  throw semantic(path, 'must be an integer, or a mapping of soft and hard')
}

const gpus: LongForm = (value) => (typeof value === 'string' ? [mapOf([['count', value]])] : value)

const ports: LongForm = (value, path, report, isOpen) =>
  !Array.isArray(value)
    ? value
    : value.flatMap((item, index): Tree[] => {
        if (isMap(item)) return [item]
        const spec = printValue(item)
        if (isOpen(spec)) return [spec]
        return attempt<Tree[]>(() => parsePorts(spec, [...path, index]), report, [])
      })

const volume: LongForm = (value, path, _report, isOpen) => {
  if (typeof value === 'string' && isOpen(value)) return value
  if (typeof value === 'string') return withCleanTarget(parseVolume(value, path))
  if (isMap(value) && value.type === 'bind' && (value.source ?? '') === '') {
    throw semantic(path, 'invalid mount config for type "bind": field Source must not be empty')
  }
  return isMap(value) ? withCleanTarget(value) : value
}

const withCleanTarget = (mount: TreeMap): TreeMap =>
  typeof mount.target === 'string' && mount.target !== ''
    ? mapOf<Tree>([...Object.entries(mount), ['target', normalizePath(mount.target)]])
    : mount

const device: LongForm = (value, path, _report, isOpen) => {
  if (typeof value !== 'string' || isOpen(value)) return value
  const parts = value.split(':')
  if (parts.length > 3) throw semantic(path, `confusing device mapping "${value}"`)
  // A colon within a CDI name (`vendor.com/class=name`) separates fields too.
  const [from, to, permissions = 'rwm'] = parts as [string, string?, string?]
  return mapOf([
    ['source', from],
    ['target', to || from],
    ['permissions', permissions],
  ])
}

const external: LongForm = (value, path) => {
  if (!isMap(value) || !isMap(value.external)) return value
  const name = value.external.name
  if (typeof name === 'string' && value.name !== undefined && value.name !== name) {
    throw semantic(path, 'name and external.name conflict; only use name')
  }
  return mapOf([...Object.entries(value), ['name', name ?? value.name ?? null], ['external', true]])
}

const forms = patternTree<LongForm>({
  'configs.*': external,
  'networks.*': external,
  'secrets.*': external,
  'volumes.*': external,
  'services.*.build': build,
  'services.*.build.additional_contexts': contexts,
  'services.*.build.secrets.*': source,
  'services.*.build.ssh': sshKeys,
  'services.*.build.ulimits.*': ulimit,
  'services.*.build.provenance': text,
  'services.*.build.sbom': text,
  'services.*.configs.*': source,
  'services.*.depends_on': (value) => asDependencies(value),
  'services.*.devices.*': device,
  'services.*.dns': list,
  'services.*.dns_opt': list,
  'services.*.dns_search': list,
  'services.*.env_file': envFile,
  'services.*.extends': service,
  'services.*.gpus': gpus,
  'services.*.label_file': list,
  'services.*.models': names,
  'services.*.networks': names,
  'services.*.ports': ports,
  'services.*.secrets.*': source,
  'services.*.tmpfs': list,
  'services.*.ulimits.*': ulimit,
  'services.*.volumes.*': volume,
})
