import { signal } from '@preact/signals'
import { kept } from '../../browser/storage.ts'

const key = 'skip-plan'
const skips = signal(kept.getItem(key) === 'yes')

/** Returns whether this browser deploys without showing the plan first. */
export const skipsPlan = () => skips.value

export function setSkipsPlan(next: boolean): void {
  if (next) kept.setItem(key, 'yes')
  else kept.removeItem(key)
  skips.value = next
}
