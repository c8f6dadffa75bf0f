import type { BoundModel } from '../project.ts'
import { Problem } from '../yaml/problem.ts'
import type { Path, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapOf } from '../yaml/tree.ts'
import { type BindOne, bind } from './bind.ts'
import type { Placeholders } from './placeholders.ts'

/** The maximum number of hidden values that do not fit: each binds its resource once more. */
const hiddenMax = 1000

/**
 * Builds the model like `bind`. Values that do not fit because they depend on a hidden one, such as
 * the duration `${INTERVAL}`, stay as they are in the tree.
 */
export function bindExceptHidden(tree: TreeMap, hidden: Placeholders): BoundModel {
  let hiddenCount = 0
  const bindOne: BindOne = (form, value, path) => {
    const hiddenParts: { path: Path; value: Tree }[] = []
    for (let visible = value; ; ) {
      try {
        const bound = form(visible, path)
        for (const one of hiddenParts) put(bound, one.path, one.value)
        return bound
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const part = hiddenPart(visible, error.path.slice(path.length), hidden)
        hiddenCount += 1
        if (!part || hiddenCount > hiddenMax) throw error
        hiddenParts.push(part)
        visible = replaced(visible, part.path, null)
      }
    }
  }
  return bind(tree, bindOne)
}

/** Returns the innermost part on a path that depends on a hidden value; not the whole resource. */
function hiddenPart(value: Tree, path: Path, hidden: Placeholders) {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length)
    const found = valueAt(value, part)
    if (found !== undefined && dependsOnHidden(found, hidden)) return { path: part, value: found }
  }
  return undefined
}

const valueAt = (value: Tree, path: Path): Tree | undefined =>
  path.reduce<Tree | undefined>((at, part) => {
    if (Array.isArray(at)) return at[Number(part)]
    return isMap(at) ? at[part] : undefined
  }, value)

function dependsOnHidden(value: Tree, hidden: Placeholders): boolean {
  if (typeof value === 'string') return hidden.isIn(value)
  if (Array.isArray(value)) return value.some((item) => dependsOnHidden(item, hidden))
  return isMap(value) && Object.values(value).some((item) => dependsOnHidden(item, hidden))
}

/** Returns a copy with another value at a path. */
function replaced(value: Tree, [part, ...rest]: Path, by: Tree): Tree {
  if (part === undefined) return by
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === part ? replaced(item, rest, by) : item))
  }
  if (!isMap(value)) return value
  return mapOf(
    Object.entries(value).map(
      ([key, child]) => [key, key === part ? replaced(child, rest, by) : child] as const,
    ),
  )
}

/**
 * Sets the value at a path of a bound resource. Creates the parts on the path that are missing.
 */
function put(bound: unknown, path: Path, value: Tree): void {
  let at = bound as Record<string | number, unknown>
  for (const part of path.slice(0, -1)) {
    if (typeof at[part] !== 'object' || at[part] === null) at[part] = mapOf([])
    at = at[part] as Record<string | number, unknown>
  }
  const last = path.at(-1)
  if (last !== undefined) at[last] = value
}
