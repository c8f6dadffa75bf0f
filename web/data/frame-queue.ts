import { batch } from '@preact/signals'

let queued = new Map<unknown, () => void>()
let isScheduled = false

/**
 * Runs work before the next frame, with all other queued work in one batch. The last of
 * several works with the same key runs.
 */
export function inNextFrame(key: unknown, work: () => void): void {
  queued.set(key, work)
  if (isScheduled) return
  isScheduled = true
  // A hidden tab has no frames, and its queue must not grow.
  if (typeof document === 'undefined' || document.hidden) setTimeout(flush, 250)
  else requestAnimationFrame(flush)
}

function flush(): void {
  isScheduled = false
  const works = queued
  queued = new Map()
  batch(() => {
    for (const work of works.values()) work()
  })
}
