import type { Item, Value } from './item.ts'

/** An attribute in the format of DynamoDB's API: a text, a number or bytes. */
export interface WireValue {
  S?: string
  N?: string
  B?: Uint8Array
}

export type WireItem = Record<string, WireValue>

/** Returns values in the format of DynamoDB's API, without undefined ones. */
export function toWire(
  values: Record<string, Value | undefined>,
): Record<string, { S: string } | { N: string } | { B: Uint8Array }> {
  const wire: ReturnType<typeof toWire> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) wire[name] = wireValue(value)
  }
  return wire
}

function wireValue(value: Value) {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  return { B: value }
}

/** Returns an item from the format of DynamoDB's API. */
export function fromWire(wire: WireItem): Item {
  const item: Record<string, Value> = {}
  for (const [name, value] of Object.entries(wire)) {
    const plain = value.S ?? value.B ?? (value.N === undefined ? undefined : Number(value.N))
    if (plain !== undefined) item[name] = plain
  }
  return item as Item
}
