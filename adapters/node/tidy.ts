import { getHeapStatistics } from 'node:v8'
import { type Collect, collector, holdCollector, holdYoungSpace } from './garbage.ts'

const mebibyte = 1024 * 1024
/** Milliseconds between checks. */
const every = 5

/** Bytes of garbage before it is collected: young objects, and in total. */
export interface Limits {
  young: number
  all: number
}

/** The limits for long-running work. */
export interface Untidy extends Limits {
  /**
   * Prevents V8 from starting full collections meanwhile. Costs one full collection, once there is
   * garbage.
   */
  alone?: boolean
}

/**
 * The limits for work that keeps nothing for long: objects that survive two minor collections
 * justify a full one.
 */
const strict: Untidy = { young: 2 * mebibyte, all: 2 * mebibyte }

let collect: Collect | undefined
let timer: NodeJS.Timeout | undefined
const users = new Set<Untidy>()
let letGrow = () => {}
let letCollect: (() => void) | undefined
/** Bytes in use after the last collection, and after the last full one. */
let kept = Number.POSITIVE_INFINITY
let floor = Number.POSITIVE_INFINITY

/**
 * Collects garbage soon, a millisecond or two at a time, until the returned function is called. By
 * default V8 counts objects but not the memory of their buffers outside the heap, of which a
 * hundred megabytes can accumulate.
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
    letCollect?.()
    letCollect = undefined
  }
}

function tidy(): void {
  const least = (limit: keyof Limits) => Math.min(...[...users].map((user) => user[limit]))
  const limits = { young: least('young'), all: least('all') }
  if (letCollect || ![...users].some(({ alone }) => alone)) tidyOnce(limits)
  else if (collectYoung(limits)) {
    letCollect = holdCollector()
    // V8 computes the limit of the heap at the end of a full collection.
    collectAll()
  }
}

/**
 * Collects the garbage since the last collection if it exceeds the limits. For short or occasional
 * work.
 */
export function tidyOnce(limits: Limits): void {
  // Objects that survived two minor collections are only freed by a full one.
  if (collectYoung(limits) && kept - floor >= limits.all) collectAll()
}

/** Collects young objects if they exceed the limit, and returns whether they did. */
function collectYoung({ young }: Limits): boolean {
  collect ??= collector()
  const now = held()
  kept = Math.min(kept, now)
  floor = Math.min(floor, now)
  if (now - kept < young) return false
  collect({ type: 'minor' })
  kept = held()
  return true
}

function collectAll(): void {
  collect?.()
  kept = held()
  floor = kept
}

function held(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}
