import { isMap, type Tree, type TreeMap } from '../yaml/tree.ts'

/** A path or option with a variable, as it is written. */
export interface VariablePath {
  /** Where it is in the model, as `services.web.volumes`. */
  place: string
  text: string
}

/** Where a model names things of the machine. An asterisk stands for any name or index. */
const paths = [
  'services.*.volumes.*.type',
  'services.*.volumes.*.source',
  'services.*.devices.*.source',
  'services.*.label_file.*',
  'services.*.build.context',
  'services.*.build.additional_contexts.*',
  'services.*.develop.watch.*.path',
  'configs.*.file',
  'secrets.*.file',
  'volumes.*.driver_opts.*',
].map((path) => path.split('.'))

/** The same in short forms, `source:target`. */
const shortForms = ['services.*.volumes.*', 'services.*.devices.*'].map((path) => path.split('.'))

/** Options that can give a container or a build control of the machine. */
const options = [
  'services.*.privileged',
  'services.*.use_api_socket',
  'services.*.cgroup_parent',
  'services.*.cgroup',
  'services.*.pid',
  'services.*.ipc',
  'services.*.uts',
  'services.*.userns_mode',
  'services.*.network_mode',
  'services.*.runtime',
  'services.*.volume_driver',
  'services.*.volumes_from.*',
  'services.*.cap_add.*',
  'services.*.security_opt.*',
  'services.*.device_cgroup_rules.*',
  'services.*.pre_start.*.privileged',
  'services.*.post_start.*.privileged',
  'services.*.pre_stop.*.privileged',
  'services.*.build.privileged',
  'services.*.build.entitlements.*',
  'services.*.build.network',
  'volumes.*.driver',
  'networks.*.driver',
  'networks.*.driver_opts.*',
].map((path) => path.split('.'))

/**
 * Returns the paths whose variables the environment of a reader sets. `${HOME:-.}` is a directory
 * of the stack here, and the home of a user there.
 *
 * @param model without values: expressions are as they are written
 */
export const variablePaths = (model: TreeMap): VariablePath[] =>
  variablesAt(model, (text, path) => {
    if (isOneOf(shortForms, path)) return hasVariable(sourceOf(text))
    return isOneOf(paths, path) && hasVariable(text)
  })

/**
 * Returns the options whose variables the environment of a reader sets. `.env` is not published:
 * `privileged: ${FULL:-true}` with `FULL=false` in it is false here, and true there.
 *
 * @param model without values: expressions are as they are written
 */
export const variableOptions = (model: TreeMap): VariablePath[] =>
  variablesAt(model, (text, path) => isOneOf(options, path) && hasVariable(text))

function variablesAt(
  model: TreeMap,
  isOpen: (text: string, path: readonly string[]) => boolean,
): VariablePath[] {
  const found: VariablePath[] = []
  const visit = (value: Tree, path: readonly string[]) => {
    if (typeof value === 'string') {
      if (isOpen(value, path)) found.push({ place: placeOf(path), text: value })
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, [...path, String(index)])
    } else if (isMap(value)) {
      for (const [key, one] of Object.entries(value)) visit(one, [...path, key])
    }
  }
  visit(model, [])
  return found
}

/** A literal dollar is `$$` in a model. */
const hasVariable = (text: string) => text.replaceAll('$$', '').includes('$')

/** Returns the part before the first colon. One in an expression comes after its dollar. */
const sourceOf = (text: string) => text.split(':', 1)[0] ?? ''

const isOneOf = (patterns: readonly (readonly string[])[], path: readonly string[]) =>
  patterns.some(
    (pattern) =>
      pattern.length === path.length &&
      pattern.every((part, index) => part === '*' || part === path[index]),
  )

const placeOf = (path: readonly string[]) => path.slice(0, 3).join('.')
