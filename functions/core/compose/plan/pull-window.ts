import type { Service } from '../service.ts'

const unitMilliseconds: Record<string, number> = {
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
}

/**
 * Milliseconds that a pulled image is good for, of a `pull_policy` that says so: `daily`, `weekly`, `every_1d12h`.
 * Nothing for the others.
 */
export function pullWindow(service: Pick<Service, 'pull_policy'>): number | undefined {
  const policy = service.pull_policy ?? ''
  if (policy === 'daily') return unitMilliseconds.d
  if (policy === 'weekly') return unitMilliseconds.w
  if (!policy.startsWith('every_')) return undefined
  let total = 0
  for (const [, amount, unit] of policy.matchAll(/(\d+)([wdhms])/g)) {
    total += Number(amount) * unitMilliseconds[unit!]!
  }
  return total
}
