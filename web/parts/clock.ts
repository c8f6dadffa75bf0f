import { signal } from '@preact/signals'
import { secondsBehind, serviceTime } from '../data/clock.ts'

/** The service's time in milliseconds. It moves once in ten seconds, for relative times. */
export const now = signal(serviceTime())

const move = () => {
  now.value = serviceTime()
}

setInterval(() => {
  if (document.visibilityState === 'visible') move()
}, 10_000)
addEventListener('visibilitychange', move)
secondsBehind.subscribe(move)
