import type { Reach } from '../../compose/project.ts'
import { reachOf } from '../access/reach.ts'
import { Failure, refusedByPolicy } from '../errors.ts'
import { callHost } from '../hosts/call-host.ts'
import { isOccupied } from '../hosts/file-places.ts'
import { stackOn } from '../owners/find-owner.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, Caller } from '../records/account.ts'
import type { Leaver } from '../records/owner.ts'
import { hasOwnDirectory, type StackRecord } from '../records/stack.ts'
import { refuseSharedDirectory, type StackPlace } from './shared-directory.ts'

/**
 * Checks that a new stack gets neither the directory of another stack nor files of others by its
 * name: what is in its directory is read and written by its containers, builds and backups. Returns
 * whether the files are still to be checked, because the host does not respond.
 *
 * @throws 403 if others have files there and the caller has no access to the host, and what
 *   `refuseSharedDirectory` throws
 */
export async function checkNewDirectory(
  place: StackPlace,
  caller: Pick<Caller, 'permissions'> & { account: Pick<Account, 'id'> },
  ports: Needs<'clock' | 'engines' | 'hosts' | 'owners' | 'stacks'>,
): Promise<Pick<StackRecord, 'mayHaveForeignFiles'>> {
  const reach = reachOf(caller)
  await refuseSharedDirectory(place, reach, ports)
  if (reach === 'host') return {}
  // The name is taken, and the files are that stack's.
  if (await stackOn(place.id, place.hostId, ports)) return {}
  const look = (engine: Engine) => refuseForeignFiles(place, caller.account.id, engine, ports)
  try {
    await callHost(place.hostId, ports, look)
    return {}
  } catch (error) {
    if (!(error instanceof Failure) || error.status < 500) throw error
    return { mayHaveForeignFiles: true }
  }
}

/**
 * Checks what could not be checked when a stack was created.
 *
 * @throws 403 if others have files in its directory and the caller has no access to the host
 */
export async function checkFirstUse(
  { stack, reach, accountId }: { stack: StackRecord; reach: Reach; accountId?: string | undefined },
  engine: Engine,
  ports: Needs<'owners'>,
): Promise<void> {
  if (reach === 'host' || hasOwnDirectory(stack)) return
  await refuseForeignFiles(stack, accountId, engine, ports)
}

/**
 * Checks that a caller may read what is in the directory of a stack.
 *
 * @throws 403 if others can have files there and the caller has no access to the host
 */
export function requireOwnDirectory(stack: StackRecord, reach: Reach): void {
  if (reach === 'host' || hasOwnDirectory(stack)) return
  throw refusedByPolicy(
    `stack ${stack.id}: its directory on the host was not checked for files of others yet: reading them requires stacks:privileged, or a deploy`,
  )
}

/**
 * Records who left files in the directory of a stack that is being deleted, if there are any: that
 * account may create a stack of the same name.
 */
export async function recordLeftFiles(
  stack: StackRecord,
  leftBy: Leaver,
  engine: Engine,
  { owners, clock }: Needs<'owners' | 'clock'>,
): Promise<void> {
  if (!hasOwnDirectory(stack) || !(await hasFiles(stack, engine))) return
  const { id, hostId, directory: name, createdAt: stackCreatedAt } = stack
  const at = clock.now()
  const owner = { hostId, kind: 'directory' as const, name, stack: id, stackCreatedAt, leftBy, at }
  const recorded = await owners.claim(owner)
  if (recorded.leftBy?.id !== leftBy.id) await owners.replace(owner)
}

async function refuseForeignFiles(
  place: StackPlace,
  accountId: string | undefined,
  engine: Engine,
  { owners }: Needs<'owners'>,
): Promise<void> {
  const { id, hostId, directory } = place
  if (!(await hasFiles(place, engine))) return
  const recorded = await owners.find({ hostId, kind: 'directory', name: directory })
  const leftBy = recorded?.stack === id ? recorded.leftBy : undefined
  if (leftBy && leftBy.id === accountId) return
  const account = leftBy ? `the account ${leftBy.name}, who deleted the last stack there, ` : ''
  throw refusedByPolicy(
    `stack ${id}: its directory ${directory} on the host has files of no stack: using them requires ${account}stacks:privileged; adopt the project that has them, or choose another name`,
  )
}

const hasFiles = ({ id, directory }: StackPlace, engine: Engine) =>
  isOccupied(
    { kind: 'directory', path: directory },
    { engine, owner: id, signal: new AbortController().signal },
  )
