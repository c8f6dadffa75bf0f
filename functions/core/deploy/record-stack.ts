import { LostLease } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/stack-record.ts'

type Change = (stack: StackRecord) => Partial<StackRecord>

/** Writes the record of a stack during a deployment. */
export interface StackRecorder {
  /**
   * Writes a change. Returns the record after it, or undefined if the stack no longer exists.
   *
   * @throws what `changeStack` throws
   */
  change(change: Change): Promise<StackRecord | undefined>
  /**
   * Queues a change. It is written with the next `change`, or alone after a short time. If that
   * fails, it is written with a later one.
   */
  queue(change: Change): void
  /** Writes all queued changes. Resolves also if that fails, and never rejects. */
  flush(): Promise<void>
}

/** How long a queued change waits for the next `change`. Milliseconds. */
const queueTime = 200

const noChange: Change = () => ({})

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
  let wakeUp = new AbortController()

  const write = (change: Change) => {
    const first = waiting
    waiting = undefined
    wakeUp.abort()
    const whole = fenced(fence, sequence(first ?? noChange, change))
    const changed = known.then((last) => changeStack(stack.id, whole, ports, last))
    known = changed.catch(() => {
      if (first) waiting = sequence(first, waiting ?? noChange)
      return undefined
    })
    return changed
  }
  const flush = async () => {
    if (!waiting) return void (await known)
    await write(noChange).catch((error) => {
      ports.log.warn('the start of a deployment could not be recorded', { error })
    })
  }
  return {
    change: write,
    queue(change) {
      waiting = sequence(waiting ?? noChange, change)
      wakeUp = new AbortController()
      const { signal } = wakeUp
      void ports.clock.sleep(queueTime, signal).then(() => (signal.aborted ? undefined : flush()))
    },
    flush,
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

function sequence(first: Change, then: Change): Change {
  return (stack) => {
    const changed = first(stack)
    return { ...changed, ...then({ ...stack, ...changed }) }
  }
}
