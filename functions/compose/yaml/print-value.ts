import type { Tree } from './tree.ts'
import { printNumber } from './yaml-scalar.ts'

/**
 * Returns a scalar as text, for mappings whose values are strings: `true`, `1e+06`. Null becomes an
 * empty string.
 */
export function printValue(value: Tree): string {
  if (value === null) return ''
  if (typeof value === 'number') return printNumber(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
