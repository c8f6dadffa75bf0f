import type { Stored } from '../collection.ts'
import type { Host } from '../hosts/ports.ts'
import type { Lease } from '../leases.ts'
import { percentOf } from '../metrics/figures.ts'
import { downSample, type HostPoint, sampleOf } from '../metrics/history.ts'
import { type SampledHost, sampleHost } from '../metrics/sample-host.ts'
import type { Needs, Ports } from '../ports.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { type HostView, observer } from './observe.ts'
import type { RuleState } from './state.ts'
import { type HostWatch, newlyEnded, watched } from './watch.ts'

type Listed<K extends keyof Ports> = { [P in K]: Pick<Ports[P], 'list' & keyof Ports[P]> }

/** What looking at a host and its rules takes. Of what all hosts share only the lists. */
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

/** What is known beside a look. */
export interface Beside {
  /** What the look before gave. */
  seen?: Seen | undefined
  /** Nobody can reach the host: it need not be asked. */
  isAway?: boolean
  /** Does what is the store's when it is its turn: other hosts are looked at too. */
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>
}

/** What a look leaves to the next one of the same process: as long as it has the host nobody else writes it. */
export interface Seen {
  fence: number
  last?: HostPoint
  watch?: Stored<HostWatch>
}

/** After so many intervals without a look nothing is known of the time between. */
const gapIntervals = 4

/**
 * Samples a host once, keeps what was sampled and has every rule decide. `lease` is the right to do so; what another
 * process with a newer one has written is left as it is. `interval` is the time between two looks, milliseconds.
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

/** What is known of a host after it was sampled. */
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
  if (now >= lease.expiresAt) return
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
  // The disk of the service: it can be full whether or not the local Engine answers.
  const own = host.agent === null ? { serviceDisk: await serviceDisk(ports) } : {}
  await decideAll({ host, now, stacks, jobs, found, ...own }, evaluation, ports)
  await metricHistory.add(host.id, sample)
  const watch = watching ? watching.kept : known?.watch
  return { fence: lease.fence, last: sample.host, ...(watch && { watch }) }
}

/** Brings up to date what is remembered of the host. `kept` is what of it is as it was read. */
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
  // Another process that wrote it meanwhile saw the same.
  await (kept ? ports.hostWatches.replace({ ...next, revision }) : ports.hostWatches.create(next))
  return { watch: next }
}

const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/** Those of them that somebody stopped, as far as the Engine remembers. */
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

/** Resolves what was known of a host that has no right to connect any more. */
async function forget(hostId: string, { fence }: Lease, ports: LookPorts): Promise<void> {
  const { clock, random } = ports
  const evaluation = { hostId, fence, now: clock.now(), gap: true, newId: () => random.id() }
  for (const state of await ports.alertStates.ofHost(hostId)) {
    await settle(state, evaluate(undefined, state, [], evaluation), ports)
  }
}

/** Has each rule decide, and each that is gone resolve. */
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
 * Writes what was decided, then tells of it, then writes that it was told: whoever finds it untold tells it again, under
 * the same ids.
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

/** The lease's number alone is no reason to write. */
const sameState = (one: RuleState, other: RuleState) =>
  same({ ...one, fence: 0 }, { ...other, fence: 0 })

async function serviceDisk({ selfCheck }: Needs<'selfCheck'>): Promise<number | null> {
  const use = await selfCheck.disk()
  return percentOf(use?.used ?? null, use?.total ?? null)
}
