import { unprocessable } from '../errors.ts'
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
  /** Milliseconds since the epoch. */
  now: number
}

/** Lets updates that are due wait for those of the stacks that their policies name. */
export function withWaits<S>(
  plans: readonly StackPlan<S>[],
  { isClockTrusted, now }: Waiting,
): StackPlan<S>[] {
  const stacks = plans.map(({ stack }) => stack)
  return plans.map(({ stack, updates }) => {
    const first = new Set(predecessorsOf(stack, stacks))
    const reason = isClockTrusted
      ? whyWaits(
          plans.filter((one) => first.has(one.stack.id)),
          now,
        )
      : 'the service does not trust the clock yet, after a jump or a pause'
    if (reason === null) return { stack, updates }
    const waiting = updates.map((one) =>
      one.next.kind === 'due' ? { ...one, next: { kind: 'due' as const, reason } } : one,
    )
    return { stack, updates: waiting }
  })
}

/** Returns why a stack waits for those that are updated first; null if it does not. */
function whyWaits<S>(first: readonly StackPlan<S>[], now: number): string | null {
  for (const { stack, updates } of first) {
    const { id } = stack
    if (stack.openUpdate) return `the update of stack ${id} is in progress`
    if (updates.some(({ next }) => next.kind === 'due')) return `stack ${id} is updated first`
    if (notBefore(stack, now) > now)
      return `the update of stack ${id}, less than an hour ago, was not good`
  }
  return null
}

/**
 * Returns the names of the stacks of the host that are updated before one. Stacks that would wait
 * for each other are updated in the order of their names. Names of no stack are ignored.
 */
function predecessorsOf(stack: Ordered, stacks: readonly Ordered[]): string[] {
  const byName = new Map(stacks.map((one) => [one.id, one]))
  return afterOf(stack).filter((name) => {
    const other = byName.get(name)
    if (!other || name === stack.id) return false
    return name < stack.id || pathTo(stack.id, other, byName) === undefined
  })
}

const afterOf = (stack: Pick<StackRecord, 'updatePolicy'>) => stack.updatePolicy?.after ?? []

/** Returns the names on a way by which a stack waits for another one; undefined if it does not. */
function pathTo(
  target: string,
  from: Ordered,
  byName: ReadonlyMap<string, Ordered>,
  seen = new Set<string>(),
): string[] | undefined {
  seen.add(from.id)
  for (const name of afterOf(from)) {
    if (name === target) return [from.id]
    const next = byName.get(name)
    if (!next || seen.has(name)) continue
    const rest = pathTo(target, next, byName, seen)
    if (rest) return [from.id, ...rest]
  }
  return undefined
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
  const byName = new Map<string, Ordered>(all.map((one) => [one.id, one]))
  for (const name of after) {
    const other = byName.get(name)
    if (name === stack.id) throw unprocessable(`\`after\`: ${name} is the stack itself`)
    if (!other && !afterOf(stack).includes(name))
      throw unprocessable(`\`after\`: there is no stack ${name} on the host of ${stack.id}`)
    const path = other && pathTo(stack.id, other, byName)
    if (path) {
      const circle = [stack.id, ...path, stack.id].join(' after ')
      throw unprocessable(`\`after\`: stacks would wait for each other: ${circle}`)
    }
  }
}
