import type { Actor } from '../access/actor.ts'
import { isForNow, publicMessage } from '../errors.ts'
import { pruneImages } from '../images/prune-images.ts'
import { type PruneResult, removeUnused } from '../images/remove-unused.ts'
import type { Host } from '../records/host.ts'
import type { PrunePolicy, PruneRun } from '../records/prune-policy.ts'
import { isRunDue, runAfter } from '../time/scheduled-run.ts'
import { judgePrune } from './judge-prune.ts'
import type { ScheduledPrunePorts } from './prune-ports.ts'
import { changePrunePolicy } from './prune-record.ts'
import { reportPruned, reportPruneFailed } from './report-prune.ts'
import { wantedBy } from './wanted-images.ts'

/**
 * Removes the images of a host that its policy names. If something is only busy or away, the run
 * stays due, as it does if the process is killed.
 *
 * @throws what keeps the run from beginning, such as 409 during a build
 */
export async function runPrune(
  { id }: Pick<PrunePolicy, 'id'>,
  host: Host,
  signal: AbortSignal,
  ports: ScheduledPrunePorts,
): Promise<void> {
  const engine = await ports.engines.on(id)
  const fields = { host_id: id, host_name: host.name }
  await pruneImages(fields, signal, ports, async (until) => {
    // Under the lease: another process may just have done it.
    const due = await findDue(id, ports)
    if (!due) return
    const { policy, actor } = due
    try {
      const isWanted = wantedBy(policy, ports.clock.now())
      const result = await removeUnused({ hostId: id, engine, isWanted }, ports, until)
      await recordRun(policy, { ...countsOf(result), error: null }, ports)
      if (result.images.length > 0) await reportPruned(host, result, actor.account, ports)
    } catch (error) {
      if (until.aborted || isForNow(error)) throw error
      const reason = publicMessage(error, 'the service failed')
      await recordRun(policy, { removed: 0, reclaimedBytes: 0, error: reason }, ports)
      await reportPruneFailed(host, reason, ports)
    }
  })
}

async function findDue(
  id: string,
  ports: ScheduledPrunePorts,
): Promise<{ policy: PrunePolicy; actor: Actor } | undefined> {
  const policy = await ports.prunePolicies.find(id)
  if (!policy || !isRunDue(policy, policy.last?.at ?? null, ports.clock.now())) return undefined
  const standing = await judgePrune(policy, ports)
  return standing.kind === 'account' ? { policy, actor: standing.actor } : undefined
}

const countsOf = ({ images, reclaimed }: PruneResult) => ({
  removed: images.length,
  reclaimedBytes: reclaimed,
})

async function recordRun(
  policy: PrunePolicy,
  run: Omit<PruneRun, 'at'>,
  ports: ScheduledPrunePorts,
): Promise<void> {
  const at = ports.clock.now()
  const change = () => ({ last: { at, ...run }, nextRunAt: runAfter(policy, at) })
  await changePrunePolicy(policy, change, ports)
}
