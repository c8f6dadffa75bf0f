import type { Tree } from './tree.ts'
import { printNumber } from './yaml-scalar.ts'

/** A scalar as text, where a mapping of texts has one: `true`, `1e+06`; null is empty. */
export function printValue(value: Tree): string {
  if (value === null) return ''
  if (typeof value === 'number') return printNumber(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
