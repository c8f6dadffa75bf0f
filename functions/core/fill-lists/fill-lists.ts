import { serviceRow } from '../audit/row.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import { withLock } from '../leases/with-lock.ts'
import type { Needs } from '../ports/ports.ts'
import { listedMax, SettingFields, type SettingValues } from '../records/settings.ts'
import { awaitHosts } from './await-hosts.ts'
import { noUses, type Uses, usedLists } from './uses.ts'
import { addContainerUses } from './uses-of-containers.ts'
import { addStackUses, type StackUsesPorts } from './uses-of-stacks.ts'

export type FillPorts = StackUsesPorts &
  Needs<'audit' | 'background' | 'clock' | 'leases' | 'random'>

const action = 'settings.fill-lists'
/** Entries of a list that the audit row has. */
const shownMax = 50

/**
 * Adds to the settings, once for a store, what deployed stacks and existing containers used before
 * it needed a right: yesterday's work goes on, and only new uses need the right. A new store is
 * marked at its first start and gets nothing. If the process is killed, another one or the next
 * start does it again: what is listed already stays, and there is one audit row.
 */
export async function fillLists(ports: FillPorts, signal: AbortSignal): Promise<void> {
  const { settings, leases, background } = ports
  if (await settings.areListsFilled()) return
  const lease = await leases.acquire('fill lists', `${background.processId}/fill-lists`, leaseTime)
  if (!lease) return
  await withLeaseRenewal(lease, signal, ports, async (held) => {
    // Another process may have done it in the meantime.
    if (await settings.areListsFilled()) return
    await awaitHosts(held.signal, ports)
    const uses = noUses()
    await addStackUses(uses, ports)
    await addContainerUses(uses, ports)
    await held.ensure(leaseTime / 2)
    await save(uses, ports)
    await settings.markListsFilled()
  })
}

async function save(uses: Uses, ports: FillPorts): Promise<void> {
  const { settings, log } = ports
  await withLock('settings', ports, async (ensureLock) => {
    const changed = missingFrom(await settings.fresh(), uses, ports)
    if (Object.keys(changed).length === 0) return
    await record(changed, ports)
    ensureLock()
    await settings.save({ ...changed, 'stacks.lists_filled': true })
    log.warn('what was used before is listed in the settings: see docs/upgrading.md', changed)
  })
}

/** Returns the lists that lack uses, with these. Warns of uses that cannot be listed. */
function missingFrom(
  current: SettingValues,
  uses: Uses,
  { settings, log }: Needs<'log' | 'settings'>,
): Partial<SettingValues> {
  const changed: Partial<SettingValues> = {}
  for (const key of usedLists) {
    const all = [...new Set([...current[key], ...[...uses[key]].sort()])]
    const valid = all.filter((one) => SettingFields.shape[key].safeParse([one]).success)
    const fitting = settings.pinned.has(key) ? current[key] : valid.slice(0, listedMax)
    const missing = all.filter((one) => !fitting.includes(one))
    if (missing.length > 0) log.warn('a setting lacks what was used before', { key, missing })
    if (fitting.length > current[key].length) changed[key] = fitting
  }
  return changed
}

/** Adds the audit row, unless a process that was killed did. */
async function record(changed: Partial<SettingValues>, ports: FillPorts): Promise<void> {
  const { audit, random, clock } = ports
  if ((await audit.list({ action, limit: 1 })).rows.length > 0) return
  const lists = usedLists.flatMap((key) => {
    const entries = changed[key]
    return entries ? [[key, entries.slice(0, shownMax)] as const] : []
  })
  await audit.append(
    serviceRow({
      id: random.id(),
      at: clock.now(),
      action,
      outcome: 'succeeded',
      subject: { kind: 'settings', id: 'stacks' },
      values: Object.fromEntries(lists),
    }),
  )
}
