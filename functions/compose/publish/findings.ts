import { isMap, mapAt, type Tree, type TreeMap } from '../yaml/tree.ts'
import { sensitiveData } from './sensitive-data.ts'
import type { VariablePath } from './variable-paths.ts'

/** What a person must accept before a project is published. */
export const findingKinds = ['env', 'bind_mounts', 'sensitive'] as const

export interface Finding {
  kind: (typeof findingKinds)[number]
  /** Where it is: a path in the model, or a file of the stack with a line. */
  place: string
  /**
   * The same with all keys, which can come from variables, and the name in a file. It may be as
   * secret as the value.
   */
  exactPlace: string
  /** What it is, such as `env_file declared` or `GitHub token`. */
  what: string
  /** The sensitive value, or the paths of a mount. Null if the place says all. */
  value: string | null
}

/** Names whose values are probably secret. */
const suspicious =
  /pass(?:word|wd|phrase)?$|passw|secret|token|credential|api_?key|private_?key|access_?key|auth_?key|encryption_?key/i

/**
 * Returns the declarations of variables: services with files of variables, and values of names that
 * look secret which are written in the file itself.
 *
 * @param model without values: expressions are as they are written
 */
export function environmentFindings(model: TreeMap): Finding[] {
  return Object.entries(mapAt(model, 'services')).flatMap(([name, service]) => {
    if (!isMap(service)) return []
    const place = `services.${name}`
    const hasFiles = Array.isArray(service.env_file) && service.env_file.length > 0
    const declared = finding('env', `${place}.env_file`, 'env_file declared')
    const literals = Object.entries(mapAt(service, 'environment'))
      .filter(([key, value]) => suspicious.test(key) && isLiteral(value))
      .map(([key]) => finding('env', `${place}.environment.${key}`, `literal value for ${key}`))
    return [...(hasFiles ? [declared] : []), ...literals]
  })
}

const finding = (
  kind: Finding['kind'],
  place: string,
  what: string,
  value: string | null = null,
): Finding => ({ kind, place, exactPlace: place, what, value })

/** Returns whether a value is not empty and does not come from a variable. */
const isLiteral = (value: Tree | undefined): boolean =>
  value !== null && value !== '' && !String(value).replaceAll('$$', '').includes('$')

/**
 * Returns the bind mounts of services, each as `source:target`. A source in the stack's directory
 * is relative to it.
 */
export function bindFindings(model: TreeMap, directory: string): Finding[] {
  return Object.entries(mapAt(model, 'services')).flatMap(([name, service]) => {
    const volumes = isMap(service) && Array.isArray(service.volumes) ? service.volumes : []
    return volumes.flatMap((volume) => {
      if (!isMap(volume) || volume.type !== 'bind') return []
      const source = String(volume.source ?? '')
      const isInside = source === directory || source.startsWith(`${directory}/`)
      const shown = isInside ? `.${source.slice(directory.length)}` : source
      const paths = `${shown}:${String(volume.target ?? '')}`
      return [finding('bind_mounts', `services.${name}.volumes`, 'bind mount', paths)]
    })
  })
}

/** Returns paths with a variable, as they are written: others may mount something else there. */
export const variablePathFindings = (paths: readonly VariablePath[]): Finding[] =>
  paths.map(({ place, text }) => finding('bind_mounts', place, 'path with a variable', text))

/**
 * Returns the sensitive values of a model.
 *
 * @param isSkipped whether to leave out a path with everything below
 */
export function modelFindings(
  model: Tree,
  isSkipped: (path: readonly string[]) => boolean,
): Finding[] {
  const found: Finding[] = []
  const visit = (value: Tree, path: readonly string[]) => {
    if (isSkipped(path)) return
    if (typeof value === 'string') found.push(...leafFindings(value, path))
    else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, [...path, String(index)])
    } else if (isMap(value)) {
      for (const [key, one] of Object.entries(value)) visit(one, [...path, key])
    }
  }
  visit(model, [])
  return found
}

function leafFindings(text: string, path: readonly string[]): Finding[] {
  const value = text.replaceAll('$$', '$')
  // The name decides about some values.
  const kinds = new Set(sensitiveData(`${path.at(-1)}=${value}`).map(({ what }) => what))
  return [...kinds].map((what) => ({
    ...finding('sensitive', path.slice(0, 3).join('.'), what, value.slice(0, 8192)),
    exactPlace: path.join('.'),
  }))
}

/** Returns the sensitive values of a text file. */
export const textFindings = (path: string, text: string): Finding[] =>
  sensitiveData(text).map(({ what, key, value, line }) => ({
    ...finding('sensitive', `${path}:${line}`, what, value),
    exactPlace: `${path}:${line}${key === '' ? '' : ` ${key}`}`,
  }))
