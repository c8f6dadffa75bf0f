import { must } from '../../must.ts'
import type { Service } from '../../service.ts'

const unitMilliseconds: Record<string, number> = {
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
}

/**
 * Returns how long a pulled image stays fresh, in milliseconds, for the pull policies `daily`,
 * `weekly` and `every_1d12h`; undefined for others.
 */
export function pullWindow(service: Pick<Service, 'pull_policy'>): number | undefined {
  const policy = service.pull_policy ?? ''
  if (policy === 'daily') return unitMilliseconds.d
  if (policy === 'weekly') return unitMilliseconds.w
  if (!policy.startsWith('every_')) return undefined
  let total = 0
  for (const [, amount, unit = ''] of policy.matchAll(/(\d+)([wdhms])/g)) {
    total += Number(amount) * must(unitMilliseconds[unit], `unit ${unit}`)
  }
  return total
}
