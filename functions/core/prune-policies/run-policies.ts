import { isDeepStrictEqual } from 'node:util'
import { callHost } from '../hosts/call-host.ts'
import { lookAtUnused, skipTime } from '../images/unused-since.ts'
import { type Host, isReachable } from '../records/host.ts'
import type { PrunePolicy } from '../records/prune-policy.ts'
import { isClockTrusted } from '../retention/is-clock-trusted.ts'
import { isRunDue, isRunPostponed, runAfter } from '../time/scheduled-run.ts'
import { judgePrune } from './judge-prune.ts'
import type { ScheduledPrunePorts } from './prune-ports.ts'
import { changePrunePolicy } from './prune-record.ts'
import { reportPruneBlocked } from './report-prune.ts'
import { runPrune } from './run-prune.ts'

/** How often a look is recorded that saw nothing new. Milliseconds. */
const recordEvery = 3_600_000
/** The time that is skipped at once while the clock is not trusted. Milliseconds. */
const skipEvery = 5 * 60_000
/** An Engine with many images takes long to list them. Milliseconds. */
const lookDeadline = 10_000

/**
 * Removes unused images of hosts as their policies say. However many runs were missed, one run
 * makes up for them. While the clock is not trusted, or the host does not respond, a run that is
 * due waits. Never rejects: failures are logged and retried.
 */
export async function runPrunePolicies(
  ports: ScheduledPrunePorts,
  signal: AbortSignal,
): Promise<void> {
  try {
    const policies = await ports.prunePolicies.list()
    if (policies.length === 0) return
    const isTrusted = await isClockTrusted(ports)
    await Promise.all(policies.map((policy) => follow(policy, isTrusted, signal, ports)))
  } catch (error) {
    if (!signal.aborted) ports.log.warn('images could not be pruned by schedule', { error })
  }
}

async function follow(
  policy: PrunePolicy,
  isTrusted: boolean,
  signal: AbortSignal,
  ports: ScheduledPrunePorts,
): Promise<void> {
  try {
    const host = await ports.hosts.find(policy.id)
    if (host) await followHost(host, policy, isTrusted, signal, ports)
    else await ports.prunePolicies.remove(policy.id)
  } catch (error) {
    const text = 'the images of a host could not be pruned by schedule'
    // A host can be away for long.
    if (signal.aborted || !ports.reminders.isDue(`${text} ${policy.id}`)) return
    ports.log.warn(text, { host: policy.id, error })
  }
}

async function followHost(
  host: Host,
  before: PrunePolicy,
  isTrusted: boolean,
  signal: AbortSignal,
  ports: ScheduledPrunePorts,
): Promise<void> {
  const now = ports.clock.now()
  let policy: PrunePolicy | undefined = before
  if (isRunPostponed(before, now)) policy = await setNextRun(before, ports)
  if (policy && !isTrusted) policy = await skip(policy, ports)
  policy = policy && (await reviewPolicy(policy, host, ports))
  if (!policy || !isReachable(host)) return
  if (policy.what === 'unused') policy = await look(policy, ports)
  if (!policy || !isTrusted || !isRunDue(policy, policy.last?.at ?? null, now)) return
  if (policy.actsAs.blocked === null) await runPrune(policy, host, signal, ports)
  else await setNextRun(policy, ports)
}

function setNextRun(policy: PrunePolicy, ports: ScheduledPrunePorts) {
  const nextRunAt = runAfter(policy, ports.clock.now())
  return changePrunePolicy(policy, () => ({ nextRunAt }), ports)
}

/** Lets time not count in which the clock is not trusted. */
function skip(policy: PrunePolicy, ports: ScheduledPrunePorts) {
  const now = ports.clock.now()
  const { at } = policy.seen
  if (at === null || Math.abs(now - at) < skipEvery) return policy
  return changePrunePolicy(policy, ({ seen }) => ({ seen: skipTime(seen, now) }), ports)
}

/**
 * Records a change of whether a policy may remove anything: in the policy, and in the audit log,
 * where it becomes an event.
 */
async function reviewPolicy(policy: PrunePolicy, host: Host, ports: ScheduledPrunePorts) {
  const standing = await judgePrune(policy, ports)
  const blocked = standing.kind === 'blocked' ? standing.reason : null
  if (policy.actsAs.blocked === blocked) return policy
  const changed = await changePrunePolicy(
    policy,
    ({ actsAs }) => (actsAs.blocked === blocked ? undefined : { actsAs: { ...actsAs, blocked } }),
    ports,
  )
  if (changed) await reportPruneBlocked(host, blocked, ports)
  return changed
}

/** Records which images of a host no container uses, if it matters. */
async function look(
  policy: PrunePolicy,
  ports: ScheduledPrunePorts,
): Promise<PrunePolicy | undefined> {
  const images = await callHost(policy.id, ports, (engine) => engine.images(), lookDeadline)
  const now = ports.clock.now()
  const isKnown = (one: PrunePolicy) => {
    const { at } = one.seen
    const seen = lookAtUnused(one.seen, images, now).images
    return at !== null && now - at < recordEvery && isDeepStrictEqual(seen, one.seen.images)
  }
  if (isKnown(policy)) return policy
  return changePrunePolicy(policy, ({ seen }) => ({ seen: lookAtUnused(seen, images, now) }), ports)
}
