import { allows } from '../access/grant.ts'
import { conflict, forbidden } from '../errors.ts'
import {
  changeHost,
  hasEnrolled,
  nextAccessChange,
  requireAgent,
  untilWritten,
} from '../hosts/enrol.ts'
import { getHost } from '../hosts/target.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Host } from '../records/host.ts'
import type { StackRecord } from '../records/stack.ts'
import { type DeleteRecordsPorts, deleteStackRecords } from '../stacks/delete-records.ts'

type Ports = DeleteRecordsPorts & Needs<'hosts'>

/** Checks the version of a host that is about to be changed. It throws to refuse the change. */
export type HostCheck = (host: Host) => void

/**
 * Rejects the certificate and the enrolment token of a host from now on. Its agent is disconnected
 * within a second. Returns the host.
 *
 * @throws 400 for the local host, 404 if there is no such host
 */
export function revokeHost(id: string, check: HostCheck, ports: Needs<'hosts'>): Promise<Host> {
  return changeHost(id, ports, (before) => {
    requireAgent(before)
    check(before)
    const ended = { serial: null, nextSerial: null, enrolment: null }
    const accessChanges = nextAccessChange(before.agent)
    return { ...before, agent: { ...before.agent, ...ended, state: 'revoked', accessChanges } }
  })
}

/** The caller who removes a host, and the check of its version. */
interface Removal {
  caller: Caller
  check: HostCheck
}

/** Accepts any version of a host. */
export const anyVersion: HostCheck = () => undefined

/**
 * Revokes a host that was enrolled at any time, and deletes another one, which has no stacks.
 *
 * @throws 400 for the local host, 404 if there is no such host
 * @throws 409 with the names of its stacks if it has some and never enrolled
 */
export function revokeOrDelete(
  id: string,
  { caller, check }: Removal,
  ports: Ports,
): Promise<unknown> {
  return untilWritten(async () => {
    const host = await getHost(id, ports)
    requireAgent(host)
    if (hasEnrolled(host.agent)) return revokeHost(id, check, ports)
    check(host)
    return deleteEmpty(host, caller, ports)
  })
}

/**
 * Deletes a host that has no stacks. Returns undefined if it was changed or removed since it was
 * read.
 *
 * @throws 409 with the names of its stacks if it has some
 */
async function deleteEmpty(host: Stored<Host>, caller: Caller, ports: Ports) {
  const placed = await placedOn(host, ports)
  if (placed.length > 0) throw stillPlaced(host, placed, caller)
  // The sweep removes the owners that are recorded for it.
  return (await ports.hosts.remove(host.id, host.revision)) || undefined
}

/**
 * Deletes a host that will not come back, and the records of the stacks on it. Does nothing unless
 * `named` lists exactly those stacks, so that the caller loses no stack without knowing it.
 *
 * @throws 403 if the caller may not delete stacks
 * @throws 409 with the names of the stacks if they differ from `named`, and while a deployment of
 *   one runs, and if `check` refuses a host that was enrolled again meanwhile; the host stays then
 */
export async function deleteHostWithStacks(
  host: Host,
  named: readonly string[],
  { caller, check }: Removal,
  ports: Ports,
): Promise<void> {
  if (named.length > 0) requireDelete(caller)
  const placed = await placedOn(host, ports)
  const isSame = placed.length === named.length && placed.every(({ id }) => named.includes(id))
  if (!isSame) throw stillPlaced(host, placed, caller)
  await revokeHost(host.id, check, ports)
  for (const stack of placed) {
    await deleteStackRecords({ ...stack, revision: undefined }, caller, ports)
  }
  await untilWritten(async () => {
    const current = await getHost(host.id, ports)
    if (current.agent?.state === 'revoked') return deleteEmpty(current, caller, ports)
    // A new token was made for it, and perhaps used: the caller did not read that version.
    await revokeHost(host.id, check, ports)
    return undefined
  })
}

async function placedOn({ id }: Host, { stacks }: Needs<'stacks'>): Promise<StackRecord[]> {
  return (await stacks.list()).filter(({ hostId }) => hostId === id)
}

function requireDelete(caller: Caller): void {
  if (allows(caller, 'stacks:delete')) return
  throw forbidden('forgetting the stacks of a host needs the permission stacks:delete')
}

/** Names that fit into a message; a client gets them all from GET /stacks. */
const shownMax = 50

function stillPlaced({ name }: Host, placed: readonly StackRecord[], caller: Caller) {
  return conflict(`host ${name}: ${placedText(placed, caller)}`, { reason: 'in-use' })
}

function placedText(placed: readonly StackRecord[], caller: Caller): string {
  if (placed.length === 0) return 'no stacks are placed on it: leave out `stacks`'
  if (!allows(caller, 'stacks:read')) return `stacks are placed on it: ${placed.length}`
  const more = placed.length > shownMax ? ` and ${placed.length - shownMax} more` : ''
  const names = placed.slice(0, shownMax).map(({ id }) => id)
  return `stacks are placed on it: ${names.join(', ')}${more}`
}
