import { isMap, valuesOf } from '../adopt/compose-facts.ts'

/** What a compose file refers to. Paths are relative, as the file has them. */
export interface References {
  /** Files that a project needs to load, and directories to build. */
  files: string[]
  /** Sources of binds. */
  binds: string[]
  images: string[]
}

/** Reads what a compose file refers to. Throws an `Error` for a text that is not YAML. */
export function referencesOf(text: string): References {
  const files: unknown[] = []
  const binds: unknown[] = []
  const images: unknown[] = []
  for (const value of valuesOf(text)) {
    if (!isMap(value)) continue
    files.push(...listOf(value.include).flatMap(includedPaths))
    for (const service of valuesIn(value.services)) {
      files.push(...serviceFiles(service))
      binds.push(...listOf(service.volumes).map(bindSource))
      images.push(service.image)
    }
    for (const kind of [value.secrets, value.configs])
      files.push(...valuesIn(kind).map(({ file }) => file))
  }
  return {
    files: unique(files.filter(isRelative)),
    binds: unique(binds.filter(isRelative).filter((path) => path.startsWith('.'))),
    images: unique(images.filter((image) => typeof image === 'string')),
  }
}

function serviceFiles(service: Record<string, unknown>): unknown[] {
  const { env_file, label_file, build, extends: base } = service
  return [
    ...listOf(env_file).flatMap(includedPaths),
    ...listOf(label_file),
    isMap(build) ? build.context : build,
    isMap(base) ? base.file : undefined,
  ]
}

/** `path` alone, or a map with one or more of them. */
const includedPaths = (value: unknown): unknown[] => (isMap(value) ? listOf(value.path) : [value])

function bindSource(volume: unknown): unknown {
  if (isMap(volume)) return volume.type === 'bind' ? volume.source : undefined
  return typeof volume === 'string' && volume.includes(':') ? volume.split(':')[0] : undefined
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

const valuesIn = (value: unknown): Record<string, unknown>[] =>
  isMap(value) ? Object.values(value).filter(isMap) : []

/** Variables, addresses and paths of the host are the same from every directory. */
const isRelative = (path: unknown): path is string =>
  typeof path === 'string' && path !== '' && !/^[/~]|\$|:\/\/|^[\w.-]+@/.test(path)

const unique = (texts: readonly string[]) => [...new Set(texts)]
