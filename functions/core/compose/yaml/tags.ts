import type { Path, Tree } from './tree.ts'
import { isMap } from './tree.ts'
import type { TagMark } from './yaml-construct.ts'

/**
 * Drops from what earlier files said the values that a later one marked with `!reset` or `!override`. Changes `base`.
 * Single entries of a list are left: their position in the later file says nothing about the earlier.
 */
export function applyTags(base: Tree, tags: readonly TagMark[]): void {
  for (const { path } of tags) drop(base, path)
}

function drop(base: Tree, path: Path): void {
  let parent = base
  for (const part of path.slice(0, -1)) {
    if (!isMap(parent) || typeof part !== 'string') return
    parent = parent[part] ?? null
  }
  const last = path.at(-1)
  if (typeof last !== 'string') return
  if (isMap(parent)) delete parent[last]
  else if (Array.isArray(parent)) dropKeyed(parent, last)
}

/** `environment: [A=1]` against a mark at `environment.A`. */
function dropKeyed(list: Tree[], key: string): void {
  const kept = list.filter((item) => typeof item !== 'string' || item.split('=', 1)[0] !== key)
  list.splice(0, list.length, ...kept)
}
