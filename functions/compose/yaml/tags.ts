import type { Path, Tree } from './tree.ts'
import { isMap } from './tree.ts'
import type { TagMark } from './yaml-construct.ts'

/**
 * Removes the values from `base` that a later file marks with `!reset` or `!override`. List entries
 * are not removed: their index in the later file says nothing about the earlier files.
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

/** Handles a mark at `environment.A` where the base has `environment: [A=1]`. */
function dropKeyed(list: Tree[], key: string): void {
  const kept = list.filter((item) => typeof item !== 'string' || item.split('=', 1)[0] !== key)
  list.splice(0, list.length, ...kept)
}
