import { LostLease } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/locate.ts'

type Change = (stack: StackRecord) => Partial<StackRecord>

/** Writes the record of a stack during a deployment. */
export interface StackRecorder {
  /**
   * Writes a change. Returns the record after it, or undefined if the stack does not exist any
   * more.
   *
   * @throws what `changeStack` throws
   */
  change(change: Change): Promise<StackRecord | undefined>
  /**
   * Queues a change, to be written with the next `change` or alone after a short pause. If the
   * write fails, the change goes with a later one.
   */
  put(change: Change): void
  /** Resolves when all queued changes are written or the write has failed. Never rejects. */
  settled(): Promise<void>
}

/** How long a queued change waits for the next `change`. Milliseconds. */
const pause = 200

const nothing: Change = () => ({})

/**
 * Returns a recorder that writes changes of a stack's record one after the other, all under one
 * lease. A change throws `LostLease` once the record was written under a later lease.
 *
 * @param stack the record as it was read for the first change
 */
export function recordStack(
  stack: Stored<StackRecord>,
  fence: number,
  ports: Needs<'clock' | 'log' | 'stacks'>,
): StackRecorder {
  let known: Promise<Stored<StackRecord> | undefined> = Promise.resolve(stack)
  let waiting: Change | undefined
  let woken = new AbortController()

  const write = (change: Change) => {
    const first = waiting
    waiting = undefined
    woken.abort()
    const whole = fenced(fence, inTurn(first ?? nothing, change))
    const changed = known.then((last) => changeStack(stack.id, whole, ports, last))
    known = changed.catch(() => {
      if (first) waiting = inTurn(first, waiting ?? nothing)
      return undefined
    })
    return changed
  }
  const settled = async () => {
    if (!waiting) return void (await known)
    await write(nothing).catch((error) => {
      ports.log.warn('the start of a deployment could not be recorded', { error })
    })
  }
  return {
    change: write,
    put(change) {
      waiting = inTurn(waiting ?? nothing, change)
      woken = new AbortController()
      const { signal } = woken
      void ports.clock.sleep(pause, signal).then(() => (signal.aborted ? undefined : settled()))
    },
    settled,
  }
}

const fenced =
  (fence: number, change: Change): Change =>
  (stack) =>
    withFence(stack, fence, change(stack))

/**
 * Returns a change of a stack's record with the fence of the lease under which it is made.
 *
 * @throws LostLease if the record was written under a later lease
 */
export function withFence(
  stack: StackRecord,
  fence: number,
  change: Partial<StackRecord>,
): Partial<StackRecord> {
  if ((stack.fence ?? 0) > fence) throw new LostLease()
  return { ...change, fence }
}

function inTurn(first: Change, then: Change): Change {
  return (stack) => {
    const changed = first(stack)
    return { ...changed, ...then({ ...stack, ...changed }) }
  }
}
