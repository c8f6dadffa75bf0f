/**
 * The size of a value: the number of keys, entries and scalars, and the characters in keys and
 * strings.
 */
export interface Weight {
  values: number
  characters: number
}

/** Returns the size of plain data in linear time. */
export function weigh(data: unknown): Weight {
  const weight = { values: 0, characters: 0 }
  const open: unknown[] = [data]
  while (open.length > 0) {
    const value = open.pop()
    weight.values += 1
    if (typeof value === 'string') weight.characters += value.length
    else if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        weight.characters += key.length
        open.push(child)
      }
    }
  }
  return weight
}
