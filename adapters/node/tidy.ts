import { getHeapStatistics } from 'node:v8'
import { type Collect, collector, holdCollector, holdYoungSpace } from './garbage.ts'

const mebibyte = 1024 * 1024
/** How often is looked. Milliseconds. */
const every = 5

/** How much may come together before it is collected: of what is young, and in all. Bytes. */
export interface Limits {
  young: number
  all: number
}

/** For who goes on for long. */
export interface Untidy extends Limits {
  /** V8 leaves whole collections to us meanwhile. Costs one, as soon as there is anything to collect. */
  alone?: boolean
}

/** For what holds nothing for long: whatever outlives two small collections is worth a whole one. */
const strict: Untidy = { young: 2 * mebibyte, all: 2 * mebibyte }

let collect: Collect | undefined
let timer: NodeJS.Timeout | undefined
const users = new Set<Untidy>()
let letGrow = () => {}
let letCollect: (() => void) | undefined
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
    // How far V8 lets the heap grow is reckoned at the end of a whole collection.
    collectAll()
  }
}

/** Collects what came together since the last time, if it is so much. For who does not go on for long, or comes by now and then. */
export function tidyOnce(limits: Limits): void {
  // What outlived two small collections goes with a whole one only.
  if (collectYoung(limits) && kept - floor >= limits.all) collectAll()
}

/** Whether there was so much. */
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
