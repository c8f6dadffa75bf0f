import { isMap, mapAt, mapOf, type Tree, type TreeMap } from '../yaml/tree.ts'

/**
 * The attribute that holds the value of an environment variable until `bind`. It is an extension
 * because the schema also validates the results of includes, which have variables of their own.
 */
export const contentKey = 'x-content-of-environment'

/**
 * Sets values that come from the project's variables: those of environment variables listed without
 * a value, and the content of secrets and configs with `environment`. Variables that are not set
 * stay without a value.
 */
export function resolveEnvironment(tree: TreeMap, variables: ReadonlyMap<string, string>): TreeMap {
  const resolved = mapOf(Object.entries(tree))
  for (const kind of ['secrets', 'configs']) {
    if (!isMap(tree[kind])) continue
    resolved[kind] = mapOf(
      Object.entries(mapAt(tree, kind)).map(
        ([name, file]) => [name, withContent(file, variables)] as const,
      ),
    )
  }
  if (isMap(tree.services)) {
    resolved.services = mapOf(
      Object.entries(tree.services).map(
        ([name, service]) => [name, withValues(service, variables)] as const,
      ),
    )
  }
  return resolved
}

function withContent(file: Tree, variables: ReadonlyMap<string, string>): Tree {
  const value =
    isMap(file) && typeof file.environment === 'string'
      ? variables.get(file.environment)
      : undefined
  if (!isMap(file) || value === undefined) return file
  return mapOf<Tree>([...Object.entries(file), [contentKey, value]])
}

function withValues(service: Tree, variables: ReadonlyMap<string, string>): Tree {
  if (!isMap(service) || service.environment === undefined) return service
  return mapOf([
    ...Object.entries(service),
    ['environment', fillIn(service.environment, variables)],
  ])
}

/** Converts `KEY` to `KEY=value` and `KEY: null` to `KEY: value` if the variable is set. */
export function fillIn(environment: Tree, variables: ReadonlyMap<string, string>): Tree {
  if (Array.isArray(environment)) {
    return environment.map((item) => {
      const value =
        typeof item === 'string' && !item.includes('=') ? variables.get(item) : undefined
      return value === undefined ? item : `${item}=${value}`
    })
  }
  if (!isMap(environment)) return environment
  return mapOf(
    Object.entries(environment).map(
      ([key, value]) => [key, value ?? variables.get(key) ?? null] as const,
    ),
  )
}
