import { groupBy } from '../group-by.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { StackRecord } from '../records/stack.ts'
import { type PolicyOf, readPolicies } from '../updates/policy-of.ts'
import { followUpdate } from './follow-update.ts'
import { startNext } from './start-next.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Takes newer images as the policies of stacks say, watches what they do, and takes bad ones back.
 * On each host one stack at a time. Only one process does so at a time. Never rejects: failures are
 * logged and retried.
 */
export async function applyUpdates(ports: ApplyPorts, signal: AbortSignal): Promise<void> {
  try {
    const isFirst = isConcerned(await readPolicies(ports))
    if (!(await ports.stacks.list()).some(isFirst)) return
    const holder = `${ports.background.processId}/apply-updates`
    const lease = await ports.leases.acquire('apply-updates', holder, leaseTime)
    if (!lease) return
    await withLeaseRenewal(lease, signal, ports, async (held) => {
      // Under the lease: another process may just have decided.
      const policyOf = await readPolicies(ports)
      const hosts = groupBy(await ports.stacks.list(), ({ hostId }) => hostId)
      const concerned = [...hosts.values()].filter((stacks) => stacks.some(isConcerned(policyOf)))
      const work = concerned.map((stacks) => updateHost(stacks, policyOf, held.signal, ports))
      await Promise.all(work)
    })
  } catch (error) {
    if (!signal.aborted) ports.log.warn('newer images could not be taken', { error })
  }
}

const isConcerned = (policyOf: PolicyOf) => (stack: StackRecord) =>
  stack.openUpdate !== undefined ||
  stack.unreported !== undefined ||
  policyOf(stack).mode === 'apply'

/** Follows the updates of a host that are in progress. Begins the next one if none is. */
async function updateHost(
  stacks: readonly Stored<StackRecord>[],
  policyOf: PolicyOf,
  signal: AbortSignal,
  ports: ApplyPorts,
): Promise<void> {
  let isWaiting = false
  for (const stack of stacks) {
    if (signal.aborted) return
    // One that cannot be read is in progress too.
    const isOpen = await followUpdate(stack, ports).catch((error) => {
      warn('an update could not be followed', { stack: stack.id }, error, ports)
      return true
    })
    isWaiting ||= isOpen
  }
  if (isWaiting || signal.aborted) return
  await startNext(stacks, policyOf, ports).catch((error) => {
    warn('updates of a host could not begin', { host: stacks[0]?.hostId }, error, ports)
  })
}

/** Warns once an hour: a host can be away for long. */
function warn(text: string, about: object, error: unknown, { log, reminders }: ApplyPorts): void {
  if (reminders.isDue(`${text} ${JSON.stringify(about)}`)) log.warn(text, { ...about, error })
}
