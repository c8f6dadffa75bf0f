import type { Stored } from '../collection.ts'
import type { Host } from '../hosts/ports.ts'
import { type Lease, timeLeft } from '../leases.ts'
import { percentOf } from '../metrics/figures.ts'
import { downSample, type HostPoint, sampleOf } from '../metrics/history.ts'
import { type SampledHost, sampleHost } from '../metrics/sample-host.ts'
import type { Needs, Ports } from '../ports.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { type HostView, observer } from './observe.ts'
import type { RuleState } from './state.ts'
import { type HostWatch, newlyEnded, watched } from './watch.ts'

type Listed<K extends keyof Ports> = { [P in K]: Pick<Ports[P], 'list' & keyof Ports[P]> }

/**
 * The ports for sampling a host and evaluating its rules. Data that all hosts share is only listed.
 */
export type LookPorts = Needs<
  | 'engines'
  | 'hostGauges'
  | 'metricHistory'
  | 'hostWatches'
  | 'alertStates'
  | 'alertEvents'
  | 'alertDeliveries'
  | 'clock'
  | 'random'
  | 'selfCheck'
> &
  Listed<'alertRules' | 'stacks' | 'backupJobs'>

/** Optional input of a sample. */
export interface Beside {
  /** The result of the previous sample. */
  seen?: Seen | undefined
  /** Whether the host is known to be disconnected, so that it need not be asked. */
  isAway?: boolean
  /**
   * Runs work on the store when a slot is free, because other hosts are sampled at the same time.
   */
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * What a sample passes to the next one of the same process. No other process writes it while this
 * one has the host's lease.
 */
export interface Seen {
  fence: number
  last?: HostPoint
  watch?: Stored<HostWatch>
}

/** Intervals without a sample after which the time in between counts as unknown. */
const gapIntervals = 4

/**
 * Samples a host once, stores the sample and evaluates every rule. `lease` permits this. What a
 * process with a newer lease wrote is not overwritten. `interval` is the time between two samples
 * in milliseconds.
 */
export async function lookAt(
  host: Host,
  lease: Lease,
  interval: number,
  ports: LookPorts,
  { seen, isAway = false, inTurn = (work) => work() }: Beside = {},
): Promise<Seen | undefined> {
  if (host.agent && host.agent.state !== 'enrolled') {
    await inTurn(() => forget(host.id, lease, ports))
    return
  }
  const known = seen?.fence === lease.fence ? seen : undefined
  const [before, sampled] = await Promise.all([
    known?.last ?? inTurn(() => ports.metricHistory.lastAt(host.id)),
    isAway ? undefined : sampleHost(host.id, ports),
  ])
  return inTurn(() => decide({ host, lease, interval, known, before, sampled }, ports))
}

/** What is known of a host once it was sampled. */
interface Found {
  host: Host
  lease: Lease
  interval: number
  known: Seen | undefined
  before: HostPoint | undefined
  sampled: SampledHost | undefined
}

async function decide(
  { host, lease, interval, known, before, sampled }: Found,
  ports: LookPorts,
): Promise<Seen | undefined> {
  const { clock, metricHistory, random } = ports
  const now = clock.now()
  if (timeLeft(lease, clock) <= 0) return
  const sample = sampled ? sampleOf(now, sampled.containers, sampled.figures) : downSample(now)
  const stacks = (await ports.stacks.list()).filter(({ hostId }) => hostId === host.id)
  const watching = sampled && (await watchOver(host, sampled, { now, stacks }, ports, known?.watch))
  const found = sampled && watching && { ...sampled, watch: watching.watch }
  const gap = !before || now - before.at > gapIntervals * interval || (sampled && !before.up)
  const evaluation = {
    ...{ hostId: host.id, fence: lease.fence, now, gap: gap === true },
    newId: () => random.id(),
  }
  const jobs = (await ports.backupJobs.list()).filter(({ hostId }) => hostId === host.id)
  // Measured even if the local Engine does not answer, because the disk can be full then too.
  const own = host.agent === null ? { serviceDisk: await serviceDisk(ports) } : {}
  await decideAll({ host, now, stacks, jobs, found, ...own }, evaluation, ports)
  await metricHistory.add(host.id, sample)
  const watch = watching ? watching.kept : known?.watch
  return { fence: lease.fence, last: sample.host, ...(watch && { watch }) }
}

/** Updates what is remembered of the host. `kept` is the stored version if it did not change. */
async function watchOver(
  { id }: Host,
  { containers }: SampledHost,
  { now, stacks }: Pick<HostView, 'now' | 'stacks'>,
  ports: LookPorts,
  seen: Stored<HostWatch> | undefined,
): Promise<{ watch: HostWatch; kept?: Stored<HostWatch> }> {
  const kept = seen ?? (await ports.hostWatches.find(id))
  const known: HostWatch = kept ?? { id, expected: {}, restarts: {} }
  const stopped = await stoppedOf(id, newlyEnded(known, { now, containers }), ports)
  const byName = new Map(stacks.map((stack) => [stack.id, stack]))
  const next = watched(known, { now, containers, stacks: byName, stopped })
  const { revision = 0, ...was } = { revision: kept?.revision, ...known }
  if (kept && same(was, next)) return { watch: next, kept }
  // If another process wrote it in the meantime, it saw the same.
  await (kept ? ports.hostWatches.replace({ ...next, revision }) : ports.hostWatches.create(next))
  return { watch: next }
}

const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns the containers among `ended` that a user stopped, according to the Engine's event
 * history.
 */
async function stoppedOf(hostId: string, ended: string[], { engines }: Pick<LookPorts, 'engines'>) {
  if (ended.length === 0) return new Set<string>()
  try {
    const { events } = await (await engines.on(hostId)).pastEvents()
    const last = new Map<string, string>()
    for (const { kind, action, subject } of events) {
      if (kind === 'container' && /^(start|stop)$/.test(action)) last.set(subject.id, action)
    }
    return new Set(ended.filter((id) => last.get(id) === 'stop'))
  } catch {
    return new Set<string>()
  }
}

/** Resolves the alerts of a host that may no longer connect. */
async function forget(hostId: string, { fence }: Lease, ports: LookPorts): Promise<void> {
  const { clock, random } = ports
  const evaluation = { hostId, fence, now: clock.now(), gap: true, newId: () => random.id() }
  for (const state of await ports.alertStates.ofHost(hostId)) {
    await settle(state, evaluate(undefined, state, [], evaluation), ports)
  }
}

/** Evaluates each rule, and resolves the alerts of deleted rules. */
async function decideAll(view: HostView, evaluation: Evaluation, ports: LookPorts): Promise<void> {
  const [rules, states] = await Promise.all([
    ports.alertRules.list(),
    ports.alertStates.ofHost(evaluation.hostId),
  ])
  if (states.some(({ fence }) => fence > evaluation.fence)) return
  const stateOf = new Map(states.map((state) => [state.ruleId, state]))
  const observe = observer(view)
  for (const rule of rules) {
    const before = stateOf.get(rule.id)
    stateOf.delete(rule.id)
    await settle(
      before,
      evaluate(rule, before, rule.enabled ? observe(rule) : [], evaluation),
      ports,
    )
  }
  for (const left of stateOf.values()) {
    await settle(left, evaluate(undefined, left, [], evaluation), ports)
  }
}

/**
 * Writes the decisions, announces them, then records that they were announced. After a crash in
 * between they are announced again, with the same IDs.
 */
async function settle(
  before: Stored<RuleState> | undefined,
  next: RuleState | undefined,
  ports: LookPorts,
): Promise<void> {
  if (!next) return void (before && (await ports.alertStates.remove(before)))
  const { revision = 0, ...was } = { revision: 0, ...before }
  let saved: Stored<RuleState> | undefined = before
  if (!before || !sameState(was as RuleState, next)) {
    saved = await ports.alertStates.save({ ...next, revision })
  }
  if (!saved || next.outbox.length === 0) return
  for (const { event, channels } of next.outbox) {
    await ports.alertEvents.add(event)
    if (channels.length > 0) await ports.alertDeliveries.add(event, channels)
  }
  const told = { ...saved, outbox: [] }
  const isOver = Object.keys(told.subjects).length === 0
  await (isOver ? ports.alertStates.remove(told) : ports.alertStates.save(told))
}

/** A different fence alone is no reason to write. */
const sameState = (one: RuleState, other: RuleState) =>
  same({ ...one, fence: 0 }, { ...other, fence: 0 })

async function serviceDisk({ selfCheck }: Needs<'selfCheck'>): Promise<number | null> {
  const use = await selfCheck.disk()
  return percentOf(use?.used ?? null, use?.total ?? null)
}
