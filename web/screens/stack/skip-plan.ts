import { signal } from '@preact/signals'

const key = 'skip-plan'
const skips = signal(localStorage.getItem(key) === 'yes')

/** Returns whether this browser deploys without showing the plan first. */
export const skipsPlan = () => skips.value

export function setSkipsPlan(next: boolean): void {
  if (next) localStorage.setItem(key, 'yes')
  else localStorage.removeItem(key)
  skips.value = next
}
