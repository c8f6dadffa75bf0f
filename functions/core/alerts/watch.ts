import type { ContainerSample } from '../engine/engine.ts'
import type { StackRecord } from '../stacks/stack.ts'

/** A container that was seen running or should run. */
export interface Expected {
  id: string
  stack: string | null
  service: string | null
  /** `stopped`: it does not run because a user stopped it. */
  is: 'up' | 'down' | 'stopped'
  /** Milliseconds since the epoch. */
  since: number
}

/** The history of a host that is needed to evaluate its containers. */
export interface HostWatch {
  /** The ID of the host. */
  id: string
  /** By container name. */
  expected: Record<string, Expected>
  /** By container ID: the latest restart count, and the times of new restarts. */
  restarts: Record<string, { count: number; times: number[] }>
}

/** A sample of a host with its context. */
export interface HostLook {
  now: number
  containers: readonly ContainerSample[]
  /** The managed stacks on the host, by name. */
  stacks: ReadonlyMap<string, StackRecord>
  /** The IDs of containers that ended since the previous sample because a user stopped them. */
  stopped: ReadonlySet<string>
}

/** Restart times kept per container, and for how long. Milliseconds. */
const timesMax = 100
const timesKept = 24 * 3_600_000
/**
 * For a container younger than this when first seen, all restarts count as recent. Milliseconds.
 */
const young = 300_000

/** How long after the end of a container the event of its stop may arrive. Milliseconds. */
const stopTold = 60_000

/** Returns the IDs of containers that ended recently and that a user may have stopped. */
export function newlyEnded(
  watch: HostWatch,
  { now, containers }: Pick<HostLook, 'now' | 'containers'>,
): string[] {
  return containers
    .filter(({ name, state }) => {
      const known = watch.expected[name]
      const isFresh = known?.is === 'up' || (known?.is === 'down' && now - known.since < stopTold)
      return isFresh && isOver(state)
    })
    .map(({ id }) => id)
}

/**
 * Returns which containers are expected after a sample. A container that was seen running is
 * expected until it exits with 0, a user stops it or it is removed. A container of a deployed stack
 * is expected even if it was never seen.
 */
export function watched(watch: HostWatch, look: HostLook): HostWatch {
  const present = new Set(look.containers.map(({ name }) => name))
  const expected: HostWatch['expected'] = {}
  for (const container of look.containers) {
    const known = watch.expected[container.name]
    const one = expectationOf(container, known, look)
    if (one) expected[container.name] = { ...one, since: sinceOf(one, known, look.now) }
  }
  for (const [name, known] of Object.entries(watch.expected)) {
    if (present.has(name) || !isMissed(known, look)) continue
    const since = known.is === 'down' ? known.since : look.now
    expected[name] = { ...known, is: 'down', since }
  }
  return { id: watch.id, expected, restarts: restartsOf(watch, look) }
}

function expectationOf(
  container: ContainerSample,
  known: Expected | undefined,
  { stacks, stopped }: HostLook,
): Omit<Expected, 'since'> | undefined {
  const { id, stack, service, state, exitCode, oneoff } = container
  if (oneoff) return undefined
  const about = { id, stack, service }
  if (state === 'running' || state === 'paused') return { ...about, is: 'up' }
  if (state === 'created' || state === 'removing') return known
  if (state === 'restarting') return { ...about, is: 'down' }
  if (stopped.has(id) || (known?.is === 'stopped' && known.id === id)) {
    return { ...about, is: 'stopped' }
  }
  const wanted = wantedOf(stack, service, stacks)
  const isWanted = wanted !== undefined && !wanted.job
  const isMissed = exitCode === 0 ? isWanted : isWanted || known !== undefined
  return isMissed ? { ...about, is: 'down' } : undefined
}

const sinceOf = (one: Omit<Expected, 'since'>, known: Expected | undefined, now: number) =>
  known?.is === one.is && known.id === one.id ? known.since : now

const isOver = (state: ContainerSample['state']) => state === 'exited' || state === 'dead'

/**
 * Returns whether a removed container is missing: its stack is deployed and has fewer containers of
 * the service than it should.
 */
function isMissed({ stack, service }: Expected, { stacks, containers }: HostLook): boolean {
  const wanted = wantedOf(stack, service, stacks)
  if (!wanted) return false
  const there = containers.filter((one) => one.stack === stack && one.service === service)
  return there.length < wanted.containers
}

function wantedOf(stack: string | null, service: string | null, stacks: HostLook['stacks']) {
  const record = stack === null ? undefined : stacks.get(stack)
  return record?.deployed && service !== null ? record.services[service] : undefined
}

function restartsOf(watch: HostWatch, { now, containers }: HostLook): HostWatch['restarts'] {
  const restarts: HostWatch['restarts'] = {}
  for (const { id, restarts: count, createdAt } of containers) {
    const known = watch.restarts[id]
    if (count === null) {
      if (known) restarts[id] = known
      continue
    }
    const isYoung = now - Date.parse(createdAt) < young
    const before = known?.count ?? (isYoung ? 0 : count)
    // The Engine resets the count when a user starts the container.
    const more = count >= before ? count - before : count
    const recent = (known?.times ?? []).filter((at) => at > now - timesKept)
    const times = [...recent, ...Array<number>(Math.min(more, timesMax)).fill(now)]
    if (count > 0 || times.length > 0) restarts[id] = { count, times: times.slice(-timesMax) }
  }
  return restarts
}
