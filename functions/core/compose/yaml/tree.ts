/** A compose file's content before it has a model: what YAML can say. Mappings have no prototype. */
export type Tree = null | string | number | boolean | Tree[] | TreeMap
export type TreeMap = { [key: string]: Tree }

/** Where a value stands: keys, and positions in lists. */
export type Path = readonly (string | number)[]

/** True for a mapping, and for nothing else. */
export const isMap = (value: unknown): value is TreeMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A mapping without prototype, so that no key is there before it is set. */
export function emptyMap<T = Tree>(): { [key: string]: T } {
  return Object.create(null)
}

/** A mapping of these entries; a later one wins. */
export function mapOf<T>(entries: Iterable<readonly [string, T]>): { [key: string]: T } {
  const map = emptyMap<T>()
  for (const [key, value] of entries) map[key] = value
  return map
}

/** The mapping under a key, empty when there is none. */
export function mapAt(map: TreeMap, key: string): TreeMap {
  const value = map[key]
  return isMap(value) ? value : emptyMap()
}

/** `services.app.ports[1]`: how messages name a place. */
export function pathText(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join('')
}

/** A pattern as `services.*.ports.*` against a path; `*` stands for any one part. */
export function matches(pattern: readonly string[], path: Path): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, index) => part === '*' || part === String(path[index]))
  )
}

/**
 * A table of patterns, each `services.*.ports` or the like, that answers for a path.
 * Looks at the patterns of that length only: a large file asks it for each of its values.
 */
export function patternTable<T>(rows: Record<string, T>): (path: Path) => T | undefined {
  const byLength = new Map<number, [string[], T][]>()
  for (const [pattern, value] of Object.entries(rows)) {
    const parts = pattern.split('.')
    byLength.set(parts.length, [...(byLength.get(parts.length) ?? []), [parts, value]])
  }
  return (path) => byLength.get(path.length)?.find(([pattern]) => matches(pattern, path))?.[1]
}

/** A copy that shares nothing with the original. */
export function copyTree(value: Tree): Tree {
  if (Array.isArray(value)) return value.map(copyTree)
  if (!isMap(value)) return value
  return mapOf(Object.entries(value).map(([key, child]) => [key, copyTree(child)] as const))
}
