/**
 * The content of a compose file before it is bound to the model. Mappings have no inherited keys.
 */
export type Tree = null | string | number | boolean | Tree[] | TreeMap
export type TreeMap = { [key: string]: Tree }

/** The path of a value: keys of mappings and indexes of lists. */
export type Path = readonly (string | number)[]

/** Returns whether a value is a mapping. */
export const isMap = (value: unknown): value is TreeMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a mapping that has no inherited keys, not even `__proto__`. */
export function emptyMap<T = Tree>(): { [key: string]: T } {
  return new (Bare as unknown as new () => { [key: string]: T })()
}

/**
 * The prototype has no prototype itself. V8 stores objects created with a null prototype as hash
 * tables, which take three times the time and space.
 */
function Bare() {}
Bare.prototype = Object.create(null)

/** Returns a mapping of these entries. For duplicate keys the last entry wins. */
export function mapOf<T>(entries: Iterable<readonly [string, T]>): { [key: string]: T } {
  const map = emptyMap<T>()
  for (const [key, value] of entries) map[key] = value
  return map
}

/** Returns the mapping under a key, or an empty one. */
export function mapAt(map: TreeMap, key: string): TreeMap {
  const value = map[key]
  return isMap(value) ? value : emptyMap()
}

/** Formats a path for messages: `services.app.ports[1]`. */
export function pathText(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join('')
}

/**
 * A table of path patterns such as `services.*.ports`, stored as a tree so that a walk over values
 * can follow it.
 */
export interface Patterns<T> {
  /** The rule for the current path. */
  rule: T | undefined
  /**
   * Returns the node of a child, or undefined if no pattern leads there. A walk can then skip the
   * child, however large it is.
   */
  at(part: string | number): Patterns<T> | undefined
  /** Returns whether no pattern continues here. */
  isEnd(): boolean
}

/**
 * Builds the tree of a table. `*` matches any one part. A node must not have both `*` and named
 * children.
 */
export function patternTree<T>(rows: Record<string, T>): Patterns<T> {
  const root = new PatternNode<T>()
  for (const [pattern, rule] of Object.entries(rows)) {
    let node = root
    for (const part of pattern.split('.')) node = node.grow(part)
    node.rule = rule
  }
  return root
}

/** Returns the rule of a table for a path. */
export function ruleAt<T>(patterns: Patterns<T>, path: Path): T | undefined {
  let node: Patterns<T> | undefined = patterns
  for (const part of path) node = node?.at(part)
  return node?.rule
}

class PatternNode<T> implements Patterns<T> {
  rule: T | undefined = undefined
  #any: PatternNode<T> | undefined = undefined
  readonly #named = new Map<string, PatternNode<T>>()

  at(part: string | number): PatternNode<T> | undefined {
    return this.#any ?? (typeof part === 'string' ? this.#named.get(part) : undefined)
  }

  isEnd(): boolean {
    return this.#any === undefined && this.#named.size === 0
  }

  grow(part: string): PatternNode<T> {
    const known = part === '*' ? this.#any : this.#named.get(part)
    const node = known ?? new PatternNode<T>()
    if (part === '*') this.#any = node
    else this.#named.set(part, node)
    return node
  }
}

/**
 * Returns a copy of the value in which `change` has replaced the children that patterns reach.
 * Other children are shared with the original, which is not modified.
 */
export function mapChildren<T>(
  value: Tree,
  path: Path,
  patterns: Patterns<T>,
  change: (child: Tree, path: Path, patterns: Patterns<T>) => Tree,
): Tree {
  if (Array.isArray(value)) {
    const below = patterns.at(0)
    return below ? value.map((item, index) => change(item, [...path, index], below)) : value
  }
  if (!isMap(value)) return value
  const copy = emptyMap()
  for (const [key, child] of Object.entries(value)) {
    const below = patterns.at(key)
    copy[key] = below ? change(child, [...path, key], below) : child
  }
  return copy
}

/** Returns a deep copy. */
export function copyTree(value: Tree): Tree {
  if (Array.isArray(value)) return value.map(copyTree)
  if (!isMap(value)) return value
  return mapOf(Object.entries(value).map(([key, child]) => [key, copyTree(child)] as const))
}
