/** A compose file's content before it has a model: what YAML can say. Mappings have no prototype. */
export type Tree = null | string | number | boolean | Tree[] | TreeMap
export type TreeMap = { [key: string]: Tree }

/** Where a value stands: keys, and positions in lists. */
export type Path = readonly (string | number)[]

/** True for a mapping, and for nothing else. */
export const isMap = (value: unknown): value is TreeMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A mapping in which no key is there before it is set, `__proto__` included. */
export function emptyMap<T = Tree>(): { [key: string]: T } {
  return new (Bare as unknown as new () => { [key: string]: T })()
}

/** Its prototype has none: V8 keeps objects without a prototype as hash tables, which take thrice the time and space. */
function Bare() {}
Bare.prototype = Object.create(null)

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

/** A table of patterns, each `services.*.ports` or the like, as a tree along which a walk goes with the values. */
export interface Patterns<T> {
  /** What stands for the place that the walk has reached. */
  rule: T | undefined
  /** Where the walk goes on; nothing when no pattern leads further: a large file is left there. */
  at(part: string | number): Patterns<T> | undefined
  /** True if no pattern continues here. */
  isEnd(): boolean
}

/** The tree of a table; `*` stands for any one part. No place has both a `*` and a name. */
export function patternTree<T>(rows: Record<string, T>): Patterns<T> {
  const root = new PatternNode<T>()
  for (const [pattern, rule] of Object.entries(rows)) {
    let node = root
    for (const part of pattern.split('.')) node = node.grow(part)
    node.rule = rule
  }
  return root
}

/** What a table says of one place. */
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
 * The value with its children changed where patterns lead on. What they do not reach is shared with the original, which
 * stays as it is.
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
  for (const key of Object.keys(value)) {
    const below = patterns.at(key)
    copy[key] = below ? change(value[key]!, [...path, key], below) : value[key]!
  }
  return copy
}

/** A copy that shares nothing with the original. */
export function copyTree(value: Tree): Tree {
  if (Array.isArray(value)) return value.map(copyTree)
  if (!isMap(value)) return value
  return mapOf(Object.entries(value).map(([key, child]) => [key, copyTree(child)] as const))
}
