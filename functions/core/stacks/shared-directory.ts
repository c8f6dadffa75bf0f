import { normalizePath } from '../../compose/paths.ts'
import type { Reach } from '../../compose/project.ts'
import { conflict, refusedByPolicy } from '../errors.ts'
import { hasCommonPath } from '../owners/is-same-mount.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'

/** A stack and its directory on its host. */
export type StackPlace = Pick<StackRecord, 'id' | 'hostId' | 'directory'>

/**
 * Returns another stack of the host with the same directory, or else one whose directory is inside
 * or around it.
 */
export function sharedDirectory(
  { id, hostId, directory }: StackPlace,
  stacks: readonly StackPlace[],
): { stack: string; isSame: boolean } | undefined {
  const others = stacks.filter((one) => one.hostId === hostId && one.id !== id)
  const own = normalizePath(directory)
  const same = others.find((one) => normalizePath(one.directory) === own)
  if (same) return { stack: same.id, isSame: true }
  const near = others.find((one) => hasCommonPath(one.directory, own))
  return near && { stack: near.id, isSame: false }
}

/**
 * Checks that a new stack gets no directory of another one. An adopted stack can have the one that
 * the service would give to a stack of another name.
 *
 * @throws 409 if another stack has the directory, 403 if one has a directory inside or around it
 *   and the caller lacks `stacks:privileged`
 */
export async function refuseSharedDirectory(
  place: StackPlace,
  reach: Reach,
  { stacks }: Needs<'stacks'>,
): Promise<void> {
  const shared = sharedDirectory(place, await stacks.list())
  if (!shared) return
  const { id, directory } = place
  if (shared.isSame) {
    throw conflict(
      `stack ${id}: ${directory} is the directory of stack ${shared.stack}: choose another name`,
      { reason: 'exists' },
    )
  }
  if (reach === 'host') return
  throw refusedByPolicy(
    `stack ${id}: its directory ${directory} overlaps with that of stack ${shared.stack}: choose another name, or create it with the permission stacks:privileged`,
  )
}
