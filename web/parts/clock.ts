import { signal } from '@preact/signals'

/** The time in milliseconds. It moves once in ten seconds, for relative times. */
export const now = signal(Date.now())

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 10_000)
addEventListener('visibilitychange', () => {
  now.value = Date.now()
})
