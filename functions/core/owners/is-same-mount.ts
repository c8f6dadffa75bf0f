import { isInside } from '../../compose/policy/resource-reach.ts'
import type { ObservedMount } from '../../compose/snapshot.ts'

type Mount = Pick<ObservedMount, 'type' | 'name' | 'source'>

/**
 * Returns whether two mounts have content in common: the same volume, or a path of the host that is
 * inside the other one.
 */
export function isSameMount(one: Mount, other: Mount): boolean {
  if (one.type !== other.type) return false
  if (one.type === 'volume') return one.name === other.name
  return one.type === 'bind' && hasCommonPath(one.source, other.source)
}

/** Returns whether one path is the other one, or inside it. */
export const hasCommonPath = (one: string, other: string): boolean =>
  isInside(one, other) || isInside(other, one)
