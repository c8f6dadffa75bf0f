import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage of this thread, which takes some tens of milliseconds, or only young
 * objects, which takes one or two.
 */
export type Collect = (options?: { type: 'minor' }) => void

/** Returns the garbage collector of this thread. */
export function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

/**
 * Prevents V8 from doubling the space for young objects until the returned function is called. V8
 * does that after a burst of work, and never shrinks the space again.
 */
export const holdYoungSpace = held('semi-space-growth-factor', { on: 1, off: 2 })

/**
 * Prevents V8 from starting a full collection before the heap is twice as large as after the last
 * one, until the returned function is called. V8 counts the buffers of young objects as permanent,
 * and would otherwise start one after every eight megabytes that pass through.
 */
export const holdCollector = held('heap-growing-percent', { on: 100, off: 0 })

/**
 * Returns a function that turns a V8 flag on while it has holders. It applies to all threads. A
 * Node version without the flag is not affected.
 */
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
