import type { Needs } from '../ports/ports.ts'
import type { Owner } from '../records/owner.ts'
import type { StackRecord } from '../records/stack.ts'
import { isOwnerOf } from './find-owner.ts'

/** A stack that is removed with its volumes, and who asks for it. */
export interface RemovingStack {
  stack: StackRecord
  accountId?: string | undefined
  /** The caller may remove what no stack owns. */
  removesLeft?: boolean | undefined
}

/** Volumes that have the label of a stack's project but are not the stack's. */
export interface LeftVolumes {
  /** Those that an earlier stack of its name left, and that the caller may remove. */
  removed: string[]
  /** One for each other volume: why it stays, and how to remove it. */
  warnings: string[]
}

/**
 * Decides on the volumes that have the label of a stack's project but are not the stack's. One that
 * an earlier stack of its name left is removed for the account that deleted that stack, and for one
 * that may remove what no stack owns.
 */
export async function judgeLeftVolumes(
  names: readonly string[],
  { stack, accountId, removesLeft = false }: RemovingStack,
  { owners }: Needs<'owners'>,
): Promise<LeftVolumes> {
  const found: LeftVolumes = { removed: [], warnings: [] }
  for (const name of names) {
    const owner = await owners.find({ hostId: stack.hostId, kind: 'volume', name })
    const left = isLeftBefore(stack, owner) ? owner : undefined
    const isLeaver = left?.leftBy !== undefined && left.leftBy.id === accountId
    if (left && (removesLeft || isLeaver)) found.removed.push(name)
    else found.warnings.push(stayText(name, stack, left))
  }
  return found
}

/** Returns whether a volume is that of an earlier stack of the same name. */
export const isLeftBefore = (stack: StackRecord, owner: Owner | undefined): owner is Owner =>
  owner !== undefined && owner.stack === stack.id && !isOwnerOf(stack, owner)

function stayText(name: string, { id, hostId }: StackRecord, left: Owner | undefined): string {
  const host = hostId === 'local' ? '' : ` --host ${hostId}`
  const command = `\`cli volumes delete ${name}${host}\``
  if (!left) {
    return `volume ${name} stays: it does not belong to this stack: ${command} removes it, with the right to deploy its stack, or stacks:privileged`
  }
  const by = left.leftBy ? `, which ${left.leftBy.name} deleted,` : ''
  return `volume ${name} stays: an earlier stack ${id}${by} left it: ${command} removes it, with stacks:privileged`
}
