import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'

/** A list whose rows render independently: each reads the signal of its own id. */
export interface List<T> {
  order: ReadonlySignal<readonly string[]>
  rows: ReadonlyMap<string, ReadonlySignal<T>>
  /** Takes over a newer list. Rows that did not change keep their value. */
  update(values: readonly T[]): void
}

export function makeList<T>(idOf: (value: T) => string): List<T> {
  const order = signal<readonly string[]>([])
  const rows = new Map<string, Signal<T>>()
  let last: readonly T[] = []
  const take = (id: string, value: T) => {
    const row = rows.get(id)
    if (!row) rows.set(id, signal(value))
    else if (!isSame(row.peek(), value)) row.value = value
  }
  return {
    order,
    rows,
    update(values) {
      batch(() => {
        // When one row of a thousand is new, the others cost no more than a comparison.
        const ids = values.map((value, at) => {
          const known = value === last[at] ? order.peek()[at] : undefined
          if (known !== undefined) return known
          const id = idOf(value)
          take(id, value)
          return id
        })
        last = values
        if (isSameOrder(order.peek(), ids)) return
        order.value = ids
        // A row that goes may still be read in this batch.
        const left = new Set(ids)
        for (const id of rows.keys()) if (!left.has(id)) rows.delete(id)
      })
    },
  }
}

/**
 * Returns a function that returns the last list again if the new one has the same ids, so that
 * what reads it does not render.
 */
export function keepOrder(): (ids: readonly string[]) => readonly string[] {
  let last: readonly string[] = []
  return (ids) => {
    if (!isSameOrder(ids, last)) last = ids
    return last
  }
}

const isSameOrder = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, at) => id === other[at])

/** Returns whether two values of the API, which are JSON, are equal. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  const entries = Object.entries(one)
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, value]) => isSame(value, (other as Record<string, unknown>)[key]))
  )
}
