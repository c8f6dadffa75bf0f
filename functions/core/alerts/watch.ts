import { ownEntry } from '../../compose/lookup.ts'
import type { ContainerSample } from '../records/container.ts'
import type { Expected, HostWatch } from '../records/host-watch.ts'
import type { StackRecord } from '../records/stack.ts'
import { type Ending, endingOf, isStop } from '../states/ending.ts'
import { expectationOf, expectedContainers, verbOf } from '../states/expectation.ts'
import { isRestarting } from '../states/service-state.ts'
import { settlingTime } from '../states/settling-time.ts'
import type { EndEvidence } from './end-evidence.ts'

/** A sample of a host with its context. */
export interface WatchInput extends EndEvidence {
  now: number
  containers: readonly ContainerSample[]
  /** The managed stacks on the host, by name. */
  stacks: ReadonlyMap<string, StackRecord>
}

/** The maximum number of restart times kept per container. */
const timesMax = 100
/** Milliseconds that a restart time is kept. */
const timesAgeMax = 24 * 3_600_000
/**
 * For a container younger than this when first seen, all restarts count as recent. Milliseconds.
 */
const youngAge = 300_000

/**
 * Returns which containers are expected after a sample. A container that was seen running is
 * expected until it exits with 0, a user stops it or it is removed. A container of a deployed stack
 * is expected even if it was never seen. While an operation on a stack runs, what it ends or
 * removes stays as it was.
 */
export function nextWatch(watch: HostWatch, input: WatchInput): HostWatch {
  const present = new Set(input.containers.map(({ name }) => name))
  const expected: HostWatch['expected'] = {}
  for (const container of input.containers) {
    const known = ownEntry(watch.expected, container.name)
    const restarts = isRestarting(settling(container, watch, input))
    const one = watchOf(container, known, restarts, input)
    if (one) expected[container.name] = { ...one, since: sinceOf(one, known, input.now) }
  }
  for (const [name, known] of Object.entries(watch.expected)) {
    if (present.has(name)) continue
    if (isChanging(known.stack, input)) {
      expected[name] = known
      continue
    }
    if (!isMissing(known, input)) continue
    const since = known.is === 'down' ? known.since : input.now
    expected[name] = { ...known, is: 'down', since }
  }
  return { id: watch.id, expected, restarts: countRestarts(watch, input) }
}

/** Returns a container with the time that it must be up after a restart, as for states. */
function settling(container: ContainerSample, { restarts }: HostWatch, { now }: WatchInput) {
  const seen = ownEntry(restarts, container.id)
  const evidence = { ...container, seen, isSeenRestarted: false }
  return { ...container, settlingTime: settlingTime(evidence, now) }
}

function watchOf(
  container: ContainerSample,
  known: Expected | undefined,
  restarts: boolean,
  input: WatchInput,
): Omit<Expected, 'since'> | undefined {
  const { id, stack, service, state, run, oneoff } = container
  if (oneoff) return undefined
  const about = { id, stack, service }
  const isUp = (state === 'running' || state === 'paused') && !restarts
  if (isUp) return { ...about, is: 'up' }
  if (state === 'removing' || isChanging(stack, input)) return known
  if (restarts) return { ...about, is: 'down' }
  const expectation = activeExpectation(stack, service, input.stacks)
  const isExpected = expectation !== undefined && !expectation.job
  if (state === 'created') {
    const isFailed = isExpected && run !== null && run.startError !== null
    return isFailed ? { ...about, is: 'down' } : known
  }
  const ending = endOf(container, input)
  if (ending === 'restarts') return known
  if (isKnownStop(ending) || (known?.is === 'stopped' && known.id === id)) {
    return { ...about, is: 'stopped' }
  }
  const isMissing = ending === 'success' ? isExpected : isExpected || known !== undefined
  return isMissing ? { ...about, is: 'down' } : undefined
}

/** Returns why a container ended. */
function endOf(
  { id, state, exitCode, run }: ContainerSample,
  { stops, engine }: WatchInput,
): Ending {
  return state === 'exited'
    ? endingOf({ exitCode, run, stop: stops.get(id) ?? null }, engine)
    : 'error'
}

/**
 * Returns whether a user is known to have stopped a container. An ending by a signal does not
 * count: it may come from the kernel or a crash, which an alert must not miss.
 */
const isKnownStop = (ending: Ending): boolean => isStop(ending) && ending !== 'signal'

const isChanging = (stack: string | null, { stacks }: Pick<WatchInput, 'stacks'>): boolean =>
  stack !== null && stacks.get(stack)?.last?.status === 'running'

const sinceOf = (one: Omit<Expected, 'since'>, known: Expected | undefined, now: number) =>
  known?.is === one.is && known.id === one.id ? known.since : now

/**
 * Returns whether a removed container is missing: its stack is deployed and has fewer containers of
 * the service than it should.
 */
function isMissing({ stack, service }: Expected, { stacks, containers }: WatchInput): boolean {
  const expectation = activeExpectation(stack, service, stacks)
  if (!expectation) return false
  const there = containers.filter((one) => one.stack === stack && one.service === service)
  return there.length < expectation.containers
}

/** Returns what a deployed stack expects of a service, unless a user stopped the service. */
function activeExpectation(
  stack: string | null,
  service: string | null,
  stacks: WatchInput['stacks'],
) {
  const record = stack === null ? undefined : stacks.get(stack)
  if (!record?.deployed || service === null) return undefined
  if (verbOf(record, service)?.verb === 'stop') return undefined
  const inFile = expectationOf(record, service)
  if (inFile?.inactive) return undefined
  return inFile && { ...inFile, containers: expectedContainers(record, service) }
}

function countRestarts(watch: HostWatch, { now, containers }: WatchInput): HostWatch['restarts'] {
  const restarts: HostWatch['restarts'] = {}
  for (const { id, restarts: count, createdAt } of containers) {
    const known = ownEntry(watch.restarts, id)
    if (count === null) {
      if (known) restarts[id] = known
      continue
    }
    const isYoung = now - Date.parse(createdAt) < youngAge
    const before = known?.count ?? (isYoung ? 0 : count)
    // The Engine resets the count when a user starts the container.
    const more = count >= before ? count - before : count
    const recent = (known?.times ?? []).filter((at) => at > now - timesAgeMax)
    const times = [...recent, ...Array<number>(Math.min(more, timesMax)).fill(now)]
    if (count > 0 || times.length > 0) restarts[id] = { count, times: times.slice(-timesMax) }
  }
  return restarts
}
