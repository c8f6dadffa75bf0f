import { parseAllDocuments } from 'yaml'

/** Facts from a project's compose files that can be read without resolving them. */
export interface ComposeFacts {
  /** Names of the services. Undefined if other files or profiles may change them. */
  services: string[] | undefined
  /** Relative directories that services may write to. */
  writable: string[]
  /** Whether a service names the project's `.env` as an `env_file`. */
  hasEnvFile: boolean
}

/** Reads the compose files in merge order. Throws an `Error` for a text that is not YAML. */
export function composeFacts(texts: readonly string[]): ComposeFacts {
  const services = new Set<string>()
  const writable = new Set<string>()
  let certain = true
  let hasEnvFile = false
  for (const value of texts.flatMap(valuesOf)) {
    if (!isMap(value)) continue
    if (value.include !== undefined) certain = false
    for (const [name, service] of Object.entries(isMap(value.services) ? value.services : {})) {
      services.add(name)
      if (!isMap(service)) certain = false
      else {
        if (service.profiles !== undefined || service.extends !== undefined) certain = false
        if (service.scale !== undefined || service.deploy !== undefined) certain = false
        for (const place of writablePlaces(service.volumes)) writable.add(place)
        if (envFiles(service.env_file).some(isDotEnv)) hasEnvFile = true
      }
    }
  }
  return {
    services: certain ? [...services].sort() : undefined,
    writable: [...writable].sort(),
    hasEnvFile,
  }
}

/** Returns the documents of a YAML text as values. Throws an `Error` for one that is not valid. */
export function valuesOf(text: string): unknown[] {
  const documents = parseAllDocuments(text, { merge: true, logLevel: 'silent', uniqueKeys: false })
  return [...documents].map((document) => {
    const [error] = document.errors
    if (error) throw new Error(error.message.split('\n')[0])
    return document.toJS({ maxAliasCount: 10_000 })
  })
}

function envFiles(value: unknown): unknown[] {
  const list = Array.isArray(value) ? value : [value]
  return list.map((item) => (isMap(item) ? item.path : item))
}

const isDotEnv = (path: unknown) => typeof path === 'string' && /^(\.\/)*\.env$/.test(path)

function writablePlaces(volumes: unknown): string[] {
  if (!Array.isArray(volumes)) return []
  return volumes.flatMap((volume) => {
    const source = typeof volume === 'string' ? shortSource(volume) : longSource(volume)
    const path = source?.replace(/^(\.\/)+|\/+$/g, '')
    return path && path !== '.' && !path.startsWith('..') ? [path] : []
  })
}

function shortSource(text: string): string | undefined {
  const [source = '', target, mode = ''] = text.split(':')
  return target && /^\.\//.test(source) && !mode.split(',').includes('ro') ? source : undefined
}

function longSource(volume: unknown): string | undefined {
  if (!isMap(volume) || volume.type !== 'bind' || volume.read_only === true) return undefined
  return typeof volume.source === 'string' && volume.source.startsWith('./')
    ? volume.source
    : undefined
}

/** Returns whether a value is a map of YAML. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
