import type { Value } from '../../store/item.ts'
import { Refusal } from '../refusal.ts'

/**
 * Checks that the texts use exactly these values.
 *
 * @throws Refusal if one is missing or not used
 */
export function checkValues(
  texts: readonly string[],
  values: Readonly<Record<string, Value | undefined>>,
): void {
  const used = new Set(texts.flatMap((text) => text.match(/:\w+/g) ?? []))
  for (const name of used) {
    if (values[name.slice(1)] === undefined) throw new Refusal(`the value ${name} is missing`)
  }
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !used.has(`:${name}`))
      throw new Refusal(`the value :${name} is not used`)
  }
}
