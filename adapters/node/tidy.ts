import { getHeapStatistics } from 'node:v8'
import { type Collect, collector, holdYoungSpace } from './garbage.ts'

const mebibyte = 1024 * 1024
/** How often is looked. Milliseconds. */
const every = 5

/** How much may come together before it is collected: of what is young, and in all. Bytes. */
export interface Untidy {
  young: number
  all: number
}

/** For what holds nothing for long: whatever outlives two small collections is worth a whole one. */
const strict: Untidy = { young: 2 * mebibyte, all: 2 * mebibyte }

let collect: Collect | undefined
let timer: NodeJS.Timeout | undefined
const users = new Set<Untidy>()
let letGrow = () => {}
/** What was held after the last collection, and after the last whole one. */
let kept = Number.POSITIVE_INFINITY
let floor = Number.POSITIVE_INFINITY

/**
 * Has what is done with collected soon, a millisecond or two at a time, until the returned function is called. Left to itself the
 * collector counts objects, not the megabytes that buffers hold outside of its heap, and lets a hundred of them come together.
 */
export function keepTidy(limits: Untidy = strict): () => void {
  const user = { ...limits }
  users.add(user)
  if (users.size === 1) {
    kept = held()
    floor = kept
    letGrow = holdYoungSpace()
    timer = setInterval(tidy, every)
    timer.unref()
  }
  return () => {
    if (!users.delete(user) || users.size > 0) return
    clearInterval(timer)
    letGrow()
  }
}

function tidy(): void {
  const least = (limit: keyof Untidy) => Math.min(...[...users].map((user) => user[limit]))
  tidyOnce({ young: least('young'), all: least('all') })
}

/** Collects what came together since the last time, if it is so much. For who does not go on for long, or comes by now and then. */
export function tidyOnce({ young, all }: Untidy): void {
  collect ??= collector()
  const now = held()
  kept = Math.min(kept, now)
  floor = Math.min(floor, now)
  if (now - kept < young) return
  collect({ type: 'minor' })
  kept = held()
  if (kept - floor < all) return
  // What outlived two small collections goes with a whole one only.
  collect()
  kept = held()
  floor = kept
}

function held(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}
