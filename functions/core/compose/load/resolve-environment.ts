import { isMap, mapAt, mapOf, type Tree, type TreeMap } from '../yaml/tree.ts'

/**
 * Where the content of a variable is kept until the model is made. It is an extension to the schema, which also sees
 * what an include resolved with variables of its own.
 */
export const contentKey = 'x-content-of-environment'

/**
 * Gives values to variables that were named without one, from the project's variables: in services' environments, and
 * the content of secrets and configs that are taken from a variable. What is not set stays without a value.
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

/** `KEY` → `KEY=value` and `KEY: null` → `KEY: value` where the variable is set. */
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
