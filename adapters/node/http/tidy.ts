import { getHeapStatistics } from 'node:v8'
import { type Collect, collector, holdYoungSpace } from '../garbage.ts'

const mebibyte = 1024 * 1024
/** How often is looked. Milliseconds. */
const every = 5
/** How much may have come together since the last look among what is young, and in all. Bytes. */
const youngMax = 2 * mebibyte
const allMax = 2 * mebibyte

let collect: Collect | undefined
let timer: NodeJS.Timeout | undefined
let users = 0
let letGrow = () => {}
/** What was held after the last collection, and after the last whole one. */
let kept = 0
let floor = 0

/**
 * Has what is done with collected soon, a millisecond or two at a time, until the returned function is called. Left to itself the
 * collector counts objects, not the megabytes that buffers hold outside of its heap, and lets a hundred of them come together.
 */
export function keepTidy(): () => void {
  collect ??= collector()
  users += 1
  if (users === 1) {
    kept = held()
    floor = kept
    letGrow = holdYoungSpace()
    timer = setInterval(tidy, every)
    timer.unref()
  }
  let over = false
  return () => {
    if (over) return
    over = true
    users -= 1
    if (users > 0) return
    clearInterval(timer)
    letGrow()
  }
}

function tidy(): void {
  const now = held()
  kept = Math.min(kept, now)
  floor = Math.min(floor, now)
  if (now - kept < youngMax) return
  collect?.({ type: 'minor' })
  kept = held()
  if (kept - floor < allMax) return
  // What outlived two small collections goes with a whole one only.
  collect?.()
  kept = held()
  floor = kept
}

function held(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}
