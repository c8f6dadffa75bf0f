import type { Value } from '../../store/item.ts'

/**
 * Returns a number below, equal to or above 0, or undefined if the values have different types.
 * Texts are compared by the bytes of their UTF-8.
 */
export function compare(one: Value, other: Value): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string')
    return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other))
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other)
  return undefined
}
