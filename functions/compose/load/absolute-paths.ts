import { isWindowsPath, joinPath, normalizePath } from '../paths.ts'
import { attempt, type Report, raise, semantic } from '../yaml/problem.ts'
import type { Path, Patterns, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapChildren, mapOf, patternTree } from '../yaml/tree.ts'
import type { Placeholders } from './placeholders.ts'

/** The directories against which paths are resolved. */
interface Base {
  /** The directory that relative paths start from. */
  directory: string
  /** The meaning of `~`, if known. */
  home: string | undefined
  /** A path that begins with a hidden value stays unchanged: it may be absolute. */
  hidden?: Placeholders | undefined
}

/**
 * Makes the relative paths of a tree in long form absolute. They are host paths below the
 * directory. Remote build contexts and Windows paths stay unchanged.
 *
 * @throws Problem for a `~` if its meaning is unknown
 */
export function absolutePaths(tree: TreeMap, base: Base, report: Report = raise): TreeMap {
  const resolve = (value: Tree, path: Path, patterns: Patterns<Rule>): Tree => {
    const { rule } = patterns
    return rule && value !== null
      ? attempt(() => rule(value, path, base), report, value)
      : mapChildren(value, path, patterns, resolve)
  }
  return resolve(tree, [], rules) as TreeMap
}

type Rule = (value: Tree, path: Path, base: Base) => Tree

const file: Rule = (value, path, base) => {
  if (typeof value !== 'string' || value === '') return value
  // An absolute path keeps its spelling because it is part of the config hash.
  if (value.startsWith('/') || isWindowsPath(value)) return value
  if (base.hidden?.begins(value) || (base.hidden?.hidesAll && value.startsWith('~'))) return value
  return value.startsWith('~') ? fromHome(value, path, base) : joinPath(base.directory, value)
}

const context: Rule = (value, path, base) =>
  typeof value === 'string' && isElsewhere(value) ? value : file(value, path, base)

/** Build contexts that are not directories: repositories, archives, images, other services. */
const isElsewhere = (value: string) =>
  /^([a-z][a-z0-9+.-]*:\/\/|git@|github\.com\/|service:)/.test(value)

const mount: Rule = (value, path, base) => {
  if (!isMap(value) || value.type !== 'bind' || typeof value.source !== 'string') return value
  const source = file(value.source, [...path, 'source'], base)
  return mapOf([...Object.entries(value), ['source', source]])
}

/** A named volume that is really a bind: `driver_opts: {o: bind, device: ./data}`. */
const volume: Rule = (value, path, base) => {
  if (!isMap(value) || !isMap(value.driver_opts)) return value
  const options = value.driver_opts
  const { device, o } = options
  const binds = typeof o === 'string' && o.split(',').includes('bind')
  if ((value.driver ?? 'local') !== 'local' || !binds || typeof device !== 'string') return value
  const resolved = file(device, [...path, 'driver_opts', 'device'], base)
  const moved = mapOf([...Object.entries(options), ['device', resolved]])
  return mapOf<Tree>([...Object.entries(value), ['driver_opts', moved]])
}

function fromHome(value: string, path: Path, base: Base): string {
  if (base.home === undefined) {
    throw semantic(
      path,
      '"~" has no meaning on this host: write the path in full or set HOME in .env',
    )
  }
  return normalizePath(`${base.home}/${value.slice(1)}`)
}

const rules = patternTree<Rule>({
  'configs.*.file': file,
  'secrets.*.file': file,
  'services.*.build.additional_contexts.*': context,
  'services.*.build.context': context,
  'services.*.build.ssh.*': (value) => value,
  'services.*.develop.watch.*.path': file,
  'services.*.env_file.*.path': file,
  'services.*.label_file.*': file,
  'services.*.volumes.*': mount,
  'volumes.*': volume,
})
