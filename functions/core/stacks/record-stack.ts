import type { Stored } from '../collection.ts'
import type { Needs } from '../ports.ts'
import { changeStack } from './locate.ts'
import type { StackRecord } from './stack.ts'

/** The record of a stack while a run changes it. */
export interface StackRecorder {
  /** The record as it is after it; nothing when the stack is gone. Throws what `changeStack` throws. */
  change(change: (stack: StackRecord) => Partial<StackRecord>): Promise<StackRecord | undefined>
}

/** Makes changes one after the other; `stack` is how it was read for the first. */
export function recordStack(stack: Stored<StackRecord>, ports: Needs<'stacks'>): StackRecorder {
  let known: Promise<Stored<StackRecord> | undefined> = Promise.resolve(stack)
  return {
    change(change) {
      const changed = known.then((last) => changeStack(stack.id, change, ports, last))
      known = changed.catch(() => undefined)
      return changed
    },
  }
}
