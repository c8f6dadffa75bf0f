import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all of this thread's garbage, some tens of milliseconds long, or what is young of it, in one or two. */
export type Collect = (options?: { type: 'minor' }) => void

/** The collector of this thread, to be called at will. */
export function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

/**
 * Keeps V8 from doubling the space for young objects, which it does after a burst of work and never takes back, until the
 * returned function is called.
 */
export const holdYoungSpace = held('semi-space-growth-factor', { on: 1, off: 2 })

/**
 * Keeps V8 from collecting everything by itself before the heap is twice of what the last whole collection left, until the
 * returned function is called. It counts the buffers of young objects as if they were there to stay, and would else begin
 * after every eight megabytes that pass through.
 */
export const holdCollector = held('heap-growing-percent', { on: 100, off: 0 })

/** A setting of V8 that is on while anybody wants it. Holds for all threads; a Node that does not know the flag goes on as it is. */
function held(flag: string, { on, off }: { on: number; off: number }): () => () => void {
  let holders = 0
  return () => {
    holders += 1
    if (holders === 1) setFlagsFromString(`--${flag}=${on}`)
    let over = false
    return () => {
      if (over) return
      over = true
      holders -= 1
      if (holders === 0) setFlagsFromString(`--${flag}=${off}`)
    }
  }
}
