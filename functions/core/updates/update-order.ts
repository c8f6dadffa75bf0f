import { unprocessable } from '../errors.ts'
import { groupBy } from '../group-by.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { NextUpdate } from './decide-update.ts'
import { notBefore } from './open-update.ts'

type Ordered = Pick<StackRecord, 'id' | 'hostId' | 'updatePolicy'>

/** What happens next with the images of a stack. */
export interface StackPlan<S> {
  stack: StackRecord
  updates: (S & { next: NextUpdate })[]
}

/** What holds up all updates of a host. */
export interface Waiting {
  isClockTrusted: boolean
  /** The stacks of which a backup runs that is made before their update. */
  backedUp: ReadonlySet<string>
  /** Milliseconds since the epoch. */
  now: number
}

/** Lets updates that are due wait for what holds up their host, and for the stacks before them. */
export function withWaits<S>(plans: readonly StackPlan<S>[], waiting: Waiting): StackPlan<S>[] {
  const names = namesIn(plans.map(({ stack }) => stack))
  return plans.map(({ stack, updates }) => {
    if (!updates.some(({ next }) => next.kind === 'due')) return { stack, updates }
    const first = new Set(predecessorsOf(stack, names))
    const before = plans.filter((one) => first.has(one.stack.id))
    const reason = whyHostWaits(stack, plans, waiting) ?? whyWaits(before, waiting.now)
    if (reason === null) return { stack, updates }
    const held = updates.map((one) =>
      one.next.kind === 'due' ? { ...one, next: { kind: 'due' as const, reason } } : one,
    )
    return { stack, updates: held }
  })
}

/** Returns why no update of a stack begins on its host for now; null if one may. */
function whyHostWaits<S>(
  { id }: StackRecord,
  plans: readonly StackPlan<S>[],
  { isClockTrusted, backedUp }: Waiting,
): string | null {
  if (!isClockTrusted) return 'the service does not trust the clock yet, after a jump or a pause'
  if (backedUp.has(id)) return 'the checkpoint before its update is being made'
  const stacks = plans.map(({ stack }) => stack)
  const [other] = stacks.filter((stack) => backedUp.has(stack.id))
  return other ? `the checkpoint of stack ${other.id} is being made` : whyTakenBack(stacks)
}

/** Returns which update of a host is taken back, and what prevents that; null if none is. */
export function whyTakenBack(stacks: readonly StackRecord[]): string | null {
  const found = stacks.find(
    ({ openUpdate, update }) => openUpdate && update?.rollback?.state === 'due',
  )
  if (!found) return null
  const error = found.update?.rollback?.error ?? null
  if (error === null) return `the update of stack ${found.id} is being taken back`
  return (
    `the update of stack ${found.id} could not be taken back yet, it is tried again: ${error}; ` +
    `settle that, see \`cli backups runs\`, or deploy stack ${found.id}`
  )
}

/** Returns why a stack waits for those that are updated first; null if it does not. */
function whyWaits<S>(first: readonly StackPlan<S>[], now: number): string | null {
  for (const { stack, updates } of first) {
    const { id } = stack
    if (stack.openUpdate) return `the update of stack ${id} is in progress`
    if (updates.some(({ next }) => next.kind === 'due')) return `stack ${id} is updated first`
    // One that changed nothing is tried again every hour, perhaps for ever.
    if (stack.update?.outcome !== 'failed' && notBefore(stack, now) > now)
      return `the update of stack ${id}, less than an hour ago, was not good`
  }
  return null
}

/** Stacks, and by a name the stacks whose policies say that they come after it. */
interface Names {
  known: ReadonlySet<string>
  after: ReadonlyMap<string, readonly string[]>
}

function namesIn(stacks: readonly Ordered[]): Names {
  const pairs = stacks.flatMap((stack) => afterOf(stack).map((name) => ({ name, id: stack.id })))
  const groups = [...groupBy(pairs, ({ name }) => name)]
  return {
    known: new Set(stacks.map(({ id }) => id)),
    after: new Map(groups.map(([name, all]) => [name, all.map(({ id }) => id)])),
  }
}

const afterOf = (stack: Pick<StackRecord, 'updatePolicy'>) => stack.updatePolicy?.after ?? []

/**
 * Returns the names of the stacks of the host that are updated before one. Stacks that would wait
 * for each other are updated in the order of their names. Names of no stack are ignored.
 */
function predecessorsOf(stack: Ordered, names: Names): string[] {
  const waiting = waitingFor(stack.id, names)
  return afterOf(stack).filter(
    (name) => names.known.has(name) && name !== stack.id && (name < stack.id || !waiting.has(name)),
  )
}

/** Returns the stacks that wait for one, also by way of others: name → the next on that way. */
function waitingFor(target: string, { after }: Names): Map<string, string> {
  const found = new Map<string, string>()
  const reached = [target]
  for (const name of reached) {
    for (const waiter of after.get(name) ?? []) {
      if (waiter === target || found.has(waiter)) continue
      found.set(waiter, name)
      reached.push(waiter)
    }
  }
  return found
}

/**
 * Refuses an order of updates that cannot be kept. Names that were saved before may stay although
 * there is no such stack any more: they are ignored.
 *
 * @throws 422 if a name is no other stack of the same host, or stacks would wait for each other
 */
export async function refuseOrder(
  stack: Ordered,
  after: readonly string[],
  ports: Needs<'stacks'>,
): Promise<void> {
  const all = (await ports.stacks.list()).filter(({ hostId }) => hostId === stack.hostId)
  const names = namesIn(all)
  const waiting = waitingFor(stack.id, names)
  for (const name of after) {
    if (name === stack.id) throw unprocessable(`\`after\`: ${name} is the stack itself`)
    if (!names.known.has(name) && !afterOf(stack).includes(name))
      throw unprocessable(`\`after\`: there is no stack ${name} on the host of ${stack.id}`)
    if (!waiting.has(name)) continue
    const circle = [stack.id, ...wayBack(name, waiting), stack.id].join(' after ')
    throw unprocessable(`\`after\`: stacks would wait for each other: ${circle}`)
  }
}

/** Returns the names from one stack on by which it waits for another one. */
function wayBack(from: string, waiting: ReadonlyMap<string, string>): string[] {
  const names: string[] = []
  for (let at: string | undefined = from; at !== undefined; at = waiting.get(at)) names.push(at)
  return names.slice(0, -1)
}
