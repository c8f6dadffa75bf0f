import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Owner } from '../records/owner.ts'
import type { Permission } from '../records/permissions.ts'
import type { StackRecord } from '../records/stack.ts'
import { isOwnerOf } from './find-owner.ts'
import { lacks } from './rights.ts'

/** The caller of a removal. */
export interface Remover {
  accountId: string
  may(permission: Permission): boolean
}

export const removerOf = ({ account, permissions }: Caller): Remover => ({
  accountId: account.id,
  may: (permission) => permissions.has(permission),
})

/** A stack that is removed with its volumes, and who asks for it. */
export interface RemovingStack {
  stack: StackRecord
  /**
   * Missing if the removal is resumed: by then the account may have fewer rights, be disabled or be
   * deleted.
   */
  remover?: Remover | undefined
  /** Volumes that the files call external; undefined if the files do not load. */
  external?: readonly string[] | undefined
}

/** Volumes that have the label of a stack's project but are not the stack's. */
export interface LeftVolumes {
  /** Those that an earlier stack of its name left, and that the caller may remove. */
  removed: string[]
  /** One for each other volume: why it stays, and how to remove it. */
  warnings: string[]
  /** One for each of `removed`, which stays if the removal cannot be planned with the files. */
  unplanned: string[]
}

/**
 * Decides on the volumes that have the label of a stack's project but are not the stack's. One that
 * an earlier stack of its name left is removed for a caller with the right to `remove-left-volume`.
 * It stays if the files call it external, or do not load.
 */
export async function judgeLeftVolumes(
  names: readonly string[],
  { stack, remover, external }: RemovingStack,
  { owners }: Needs<'owners'>,
): Promise<LeftVolumes> {
  const found: LeftVolumes = { removed: [], warnings: [], unplanned: [] }
  for (const name of names) {
    const owner = await owners.find({ hostId: stack.hostId, kind: 'volume', name })
    const left = isLeftBefore(stack, owner) ? owner : undefined
    const stays = (why?: string) => stayText(name, stack, left, why)
    if (!left || (remover && lacksRight(left, remover))) {
      found.warnings.push(stays())
      continue
    }
    const why = whyStays(name, { remover, external })
    if (why !== undefined) {
      found.warnings.push(stays(why))
      continue
    }
    found.removed.push(name)
    found.unplanned.push(stays('the removal could not be planned with the files'))
  }
  return found
}

/** Returns why a volume stays that an earlier stack left, or undefined if it is removed. */
function whyStays(
  name: string,
  { remover, external }: Pick<RemovingStack, 'remover' | 'external'>,
): string | undefined {
  if (!remover) return 'the removal was resumed'
  if (!external) return 'the files, which may need it, do not load'
  return external.includes(name) ? 'the files say that it is external' : undefined
}

const lacksRight = ({ leftBy }: Owner, { accountId, may }: Remover) =>
  lacks('remove-left-volume', 'foreign', { may, isLeaver: leftBy?.id === accountId })

/** Returns whether a volume is that of an earlier stack of the same name. */
export const isLeftBefore = (stack: StackRecord, owner: Owner | undefined): owner is Owner =>
  owner !== undefined && owner.stack === stack.id && !isOwnerOf(stack, owner)

function stayText(
  name: string,
  { id, hostId }: StackRecord,
  left: Owner | undefined,
  why: string | undefined,
): string {
  const host = hostId === 'local' ? '' : ` --host ${hostId}`
  const command = `\`cli volumes delete ${name}${host}\``
  if (!left) {
    return `volume ${name} stays: it does not belong to this stack: ${command} removes it, with the right to deploy its stack, or stacks:privileged`
  }
  const by = left.leftBy ? `, which ${left.leftBy.name} deleted,` : ''
  const more = why === undefined ? '' : `, and ${why}`
  return `volume ${name} stays: an earlier stack ${id}${by} left it${more}: ${command} removes it, with stacks:privileged`
}
