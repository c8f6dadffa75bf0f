import type { Node } from 'yaml'
import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Path } from './tree.ts'
import type { Aliases } from './yaml-aliases.ts'
import { isMergeKey } from './yaml-construct.ts'

/**
 * Returns the offset of the longest prefix of a path that exists in a document, and the number of
 * its parts.
 */
export function locate(
  root: unknown,
  aliases: Aliases,
  path: Path,
): { offset: number; depth: number } {
  let node = root
  let offset = (root as Node | null)?.range?.[0] ?? 0
  for (const [depth, part] of path.entries()) {
    const found = step(node, aliases, part)
    if (!found) return { offset, depth }
    node = found.value
    offset = found.offset
  }
  return { offset, depth: path.length }
}

function step(
  node: unknown,
  aliases: Aliases,
  part: string | number,
): { value: unknown; offset: number } | undefined {
  const target = isAlias(node) ? aliases.get(node) : node
  if (isSeq(target)) {
    const byKey = typeof part === 'string' ? mergedIn(target.items, aliases, part) : undefined
    const item =
      typeof part === 'number' ? target.items[part] : target.items.find((one) => isFor(one, part))
    return byKey ?? (item ? { value: item, offset: (item as Node).range?.[0] ?? 0 } : undefined)
  }
  if (!isMap(target)) return undefined
  const own = target.items.find((pair) => isScalar(pair.key) && pair.key.value === String(part))
  if (own) return { value: own.value, offset: (own.key as Node).range?.[0] ?? 0 }
  const merges = target.items.filter((pair) => isMergeKey(pair.key)).map((pair) => pair.value)
  return mergedIn(merges, aliases, part)
}

/**
 * Returns whether an entry of a list is the short form of a key: `key`, `key=value` or `key:value`.
 */
function isFor(item: unknown, key: string): boolean {
  if (!isScalar(item) || typeof item.value !== 'string' || !item.value.startsWith(key)) return false
  return ['', '=', ':'].includes(item.value.charAt(key.length))
}

function mergedIn(sources: readonly unknown[], aliases: Aliases, part: string | number) {
  for (const source of sources) {
    const found = step(source, aliases, part)
    if (found) return found
  }
  return undefined
}
