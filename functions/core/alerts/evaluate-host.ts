import { ignoreError } from '../ignore-error.ts'
import { percentOf } from '../metrics/figures.ts'
import { downSample, sampleOf } from '../metrics/history.ts'
import { recordUsage, type UsageState } from '../metrics/record-usage.ts'
import { type SampledHost, sampleHost } from '../metrics/sample-host.ts'
import type { Stored } from '../ports/collection.ts'
import { type Lease, timeLeft } from '../ports/leases.ts'
import type { Needs, Ports } from '../ports/ports.ts'
import type { RuleState } from '../records/alert-state.ts'
import type { Host } from '../records/host.ts'
import type { HostWatch } from '../records/host-watch.ts'
import type { HostPoint } from '../records/metrics.ts'
import type { RegistryListPorts } from '../registries/allowed.ts'
import { knownLooks } from '../updates/list-updates.ts'
import { resolvePolicies } from '../updates/policy-of.ts'
import { readEndEvidence } from './end-evidence.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { goneFrom, type HostView, observer } from './observe.ts'
import { needsUpdates, readUpdates } from './read-updates.ts'
import { nextWatch } from './watch.ts'

type OnlyListed<K extends keyof Ports> = { [P in K]: Pick<Ports[P], 'list' & keyof Ports[P]> }

/**
 * The ports for sampling a host and evaluating its rules. Data that all hosts share is only listed.
 */
export type EvaluationPorts = Needs<
  | 'hosts'
  | 'engines'
  | 'hostGauges'
  | 'metricHistory'
  | 'usageHistory'
  | 'hostStops'
  | 'hostWatches'
  | 'alertStates'
  | 'alertEvents'
  | 'alertDeliveries'
  | 'clock'
  | 'random'
  | 'selfCheck'
> &
  OnlyListed<
    | 'alertRules'
    | 'stacks'
    | 'backupJobs'
    | 'imageLooks'
    | 'sources'
    | 'stackJobs'
    | 'updatePolicies'
  > &
  RegistryListPorts

/** Optional input of a sample. */
export interface SampleOptions {
  /** The result of the previous sample. */
  previous?: PreviousSample | undefined
  /** Whether the host is known to be disconnected, so that it need not be asked. */
  isAway?: boolean
  /**
   * Runs work on the store when a slot is free, because other hosts are sampled at the same time.
   */
  limited?: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * What a sample passes to the next one of the same process. No other process writes it while this
 * one has the host's lease.
 */
export interface PreviousSample {
  fence: number
  last?: HostPoint
  watch?: Stored<HostWatch>
  usage?: UsageState
}

/** Intervals without a sample after which the time in between counts as unknown. */
const gapIntervals = 4

/**
 * Samples a host once, stores the sample and evaluates every rule. `lease` permits this. What a
 * process with a newer lease wrote is not overwritten. `interval` is the time between two samples
 * in milliseconds.
 */
export async function evaluateHost(
  host: Host,
  lease: Lease,
  interval: number,
  ports: EvaluationPorts,
  { previous, isAway = false, limited: inTurn = (work) => work() }: SampleOptions = {},
): Promise<PreviousSample | undefined> {
  if (host.agent && host.agent.state !== 'enrolled') {
    await inTurn(() => resolveAlerts(host.id, lease, ports))
    return
  }
  const known = previous?.fence === lease.fence ? previous : undefined
  const [before, sampled, updates] = await Promise.all([
    known?.last ?? inTurn(() => ports.metricHistory.lastAt(host.id)),
    isAway ? undefined : sampleHost(host.id, ports),
    isAway ? undefined : updatesOn(host, inTurn, ports),
  ])
  const input = { host, lease, interval, known, before, sampled, updates }
  return inTurn(() => evaluateSample(input, ports))
}

/** The input of an evaluation: a host with its previous and its new sample. */
interface EvaluationInput {
  host: Host
  lease: Lease
  interval: number
  known: PreviousSample | undefined
  before: HostPoint | undefined
  sampled: SampledHost | undefined
  updates: HostView['updates']
}

/** Returns the newer images for the stacks of a host; undefined if no rule asks, or on failure. */
async function updatesOn(
  host: Host,
  inTurn: NonNullable<SampleOptions['limited']>,
  ports: EvaluationPorts,
): Promise<HostView['updates']> {
  const stored = await inTurn(async () => {
    if (!needsUpdates(await ports.alertRules.list(), host)) return undefined
    const [stacks, known] = await Promise.all([stacksOf(host, ports), knownLooks(ports)])
    return { stacks, known, policyOf: await policiesOn(host, ports) }
  })
  return stored && readUpdates(host, stored.stacks, stored, ports)
}

const stacksOf = async ({ id }: Host, { stacks }: EvaluationPorts) =>
  (await stacks.list()).filter(({ hostId }) => hostId === id)

const policiesOn = async (host: Host, { updatePolicies }: EvaluationPorts) =>
  resolvePolicies(await updatePolicies.list(), [host])

async function evaluateSample(
  { host, lease, interval, known, before, sampled, updates }: EvaluationInput,
  ports: EvaluationPorts,
): Promise<PreviousSample | undefined> {
  const { clock, metricHistory, random } = ports
  const now = clock.now()
  if (timeLeft(lease, clock) <= 0) return
  const sample = sampled ? sampleOf(now, sampled.containers, sampled.figures) : downSample(now)
  const stacks = await stacksOf(host, ports)
  const watching =
    sampled && (await updateWatch(host, sampled, { now, stacks }, ports, known?.watch))
  const found = sampled && watching && { ...sampled, watch: watching.watch }
  const gap = !before || now - before.at > gapIntervals * interval || (sampled && !before.up)
  const moment = {
    hostId: host.id,
    fence: lease.fence,
    now,
    gap: gap === true,
    newId: () => random.id(),
  }
  const jobs = (await ports.backupJobs.list()).filter(({ hostId }) => hostId === host.id)
  const stackJobs = await ports.stackJobs.list()
  // Measured even if the local Engine does not respond, because the disk can be full then too.
  const own = host.agent === null ? { serviceDisk: await serviceDisk(ports) } : {}
  const policyOf = await policiesOn(host, ports)
  const sources = stacks.some(({ source }) => source) ? await ports.sources.list() : undefined
  const view = {
    host,
    now,
    stacks,
    sources,
    policyOf,
    jobs,
    stackJobs,
    found,
    updates: found && updates,
    ...own,
  }
  await evaluateRules(view, { ...moment, isGone: goneFrom(view) }, ports)
  await metricHistory.add(host.id, sample)
  const watch = watching ? watching.kept : known?.watch
  const measured = { at: now, found: sampled, longestGap: gapIntervals * interval }
  // Alerts do not depend on it. A later sample begins again with what is stored.
  const usage = await recordUsage(host.id, measured, known?.usage, ports).catch(
    ignoreError('record the usage of a host'),
  )
  return { fence: lease.fence, last: sample.host, ...(watch && { watch }), ...(usage && { usage }) }
}

/** Updates what is remembered of the host. `kept` is the stored version if it did not change. */
async function updateWatch(
  { id }: Host,
  { containers }: SampledHost,
  { now, stacks }: Pick<HostView, 'now' | 'stacks'>,
  ports: EvaluationPorts,
  previous: Stored<HostWatch> | undefined,
): Promise<{ watch: HostWatch; kept?: Stored<HostWatch> }> {
  const kept = previous ?? (await ports.hostWatches.find(id))
  const known: HostWatch = kept ?? { id, expected: {}, restarts: {} }
  const evidence = await readEndEvidence(id, containers, ports)
  const byName = new Map(stacks.map((stack) => [stack.id, stack]))
  const next = nextWatch(known, { now, containers, stacks: byName, ...evidence })
  const { revision = 0, ...was } = { revision: kept?.revision, ...known }
  if (kept && isSame(was, next)) return { watch: next, kept }
  // If another process wrote it in the meantime, it saw the same.
  await (kept ? ports.hostWatches.replace({ ...next, revision }) : ports.hostWatches.create(next))
  return { watch: next }
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/** Resolves the alerts of a host that may no longer connect. */
async function resolveAlerts(
  hostId: string,
  { fence }: Lease,
  ports: EvaluationPorts,
): Promise<void> {
  const { clock, random } = ports
  const evaluation = { hostId, fence, now: clock.now(), gap: true, newId: () => random.id() }
  for (const state of await ports.alertStates.ofHost(hostId)) {
    await storeAndAnnounce(state, evaluate(undefined, state, [], evaluation), ports)
  }
}

/** Evaluates each rule, and resolves the alerts of deleted rules. */
async function evaluateRules(
  view: HostView,
  evaluation: Evaluation,
  ports: EvaluationPorts,
): Promise<void> {
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
    await storeAndAnnounce(
      before,
      evaluate(rule, before, rule.enabled ? observe(rule) : [], evaluation),
      ports,
    )
  }
  for (const left of stateOf.values()) {
    await storeAndAnnounce(left, evaluate(undefined, left, [], evaluation), ports)
  }
}

/**
 * Writes the decisions, announces them, then records that they were announced. After a crash in
 * between they are announced again, with the same IDs.
 */
async function storeAndAnnounce(
  before: Stored<RuleState> | undefined,
  next: RuleState | undefined,
  ports: EvaluationPorts,
): Promise<void> {
  if (!next) return void (before && (await ports.alertStates.remove(before)))
  const { revision = 0, ...was } = { revision: 0, ...before }
  let saved: Stored<RuleState> | undefined = before
  if (!before || !isSameState(was as RuleState, next)) {
    saved = await ports.alertStates.save({ ...next, revision })
  }
  if (!saved || next.outbox.length === 0) return
  for (const { event, channels } of next.outbox) {
    await ports.alertEvents.add(event)
    if (channels.length > 0) await ports.alertDeliveries.add(event, channels)
  }
  const announced = { ...saved, outbox: [] }
  const isOver = Object.keys(announced.subjects).length === 0
  await (isOver ? ports.alertStates.remove(announced) : ports.alertStates.save(announced))
}

/** A different fence alone is no reason to write. */
const isSameState = (one: RuleState, other: RuleState) =>
  isSame({ ...one, fence: 0 }, { ...other, fence: 0 })

async function serviceDisk({ selfCheck }: Needs<'selfCheck'>): Promise<number | null> {
  const use = await selfCheck.disk()
  return percentOf(use?.used ?? null, use?.total ?? null)
}
