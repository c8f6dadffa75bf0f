import { signal } from '@preact/signals'

const key = 'skip-plan'
const skips = signal(localStorage.getItem(key) === 'yes')

/** Whether the reader deploys without seeing the plan first. Kept for this browser. */
export const skipsPlan = () => skips.value

export function setSkipsPlan(next: boolean): void {
  if (next) localStorage.setItem(key, 'yes')
  else localStorage.removeItem(key)
  skips.value = next
}
