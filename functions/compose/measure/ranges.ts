import { partBefore } from '../part-before.ts'

/**
 * Returns how many ports an entry of `expose` or a short-form entry of `ports` covers, at least 1.
 * `8000-8009/udp` covers ten.
 */
export function portsIn(text: string): number {
  const address = partBefore(text, '/')
  const [first, last] = address.slice(address.lastIndexOf(':') + 1).split('-')
  const count = last === undefined ? 1 : Number(last) - Number(first) + 1
  return Number.isFinite(count) ? Math.max(1, count) : 1
}
