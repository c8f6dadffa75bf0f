import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all of this thread's garbage, some tens of milliseconds long, or what is young of it, in one or two. */
export type Collect = (options?: { type: 'minor' }) => void

/** The collector of this thread, to be called at will. */
export function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

let holders = 0

/**
 * Keeps V8 from doubling the space for young objects, which it does after a burst of work and never takes back, until the
 * returned function is called. Holds for all threads; a version of Node that does not know the flag goes on as it is.
 */
export function holdYoungSpace(): () => void {
  holders += 1
  if (holders === 1) setFlagsFromString('--semi-space-growth-factor=1')
  let over = false
  return () => {
    if (over) return
    over = true
    holders -= 1
    if (holders === 0) setFlagsFromString('--semi-space-growth-factor=2')
  }
}
