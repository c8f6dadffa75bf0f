import type { Alias, Node } from 'yaml'
import { isAlias, isCollection, isPair, isScalar } from 'yaml'
import type { Position } from './problem.ts'
import { Problem } from './problem.ts'

/** The target of each alias. */
export type Aliases = ReadonlyMap<Alias, Node>

/**
 * Binds each alias to the last preceding anchor of its name, in one pass over the document. The
 * library searches from the start of the document for each alias, which takes seconds with
 * thousands of aliases.
 */
export function bindAliases(root: unknown, where: (offset: number) => Position): Aliases {
  const anchors = new Map<string, Node>()
  const bound = new Map<Alias, Node>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const node = open.pop()
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      const position = where(node.range?.[0] ?? 0)
      if (!target) throw new Problem('yaml', `unknown anchor "${node.source}"`, { position })
      bound.set(node, target)
    } else if (isPair(node)) {
      open.push(node.value, node.key)
    } else if (isCollection(node)) {
      if (node.anchor) anchors.set(node.anchor, node)
      for (let index = node.items.length - 1; index >= 0; index--) open.push(node.items[index])
    } else if (isScalar(node) && node.anchor) {
      anchors.set(node.anchor, node)
    }
  }
  return bound
}
