const quote = 0x22
const backslash = 0x5c

/** A duplicate key, or `__proto__`, which code that reads objects silently skips. */
export interface InvalidKey {
  key: string
  why: 'twice' | 'reserved'
}

/**
 * Returns the first invalid key in a JSON text, however the key is escaped. Two readers may take
 * different values of a duplicate key (RFC 8259, section 4). The text must be valid JSON. Time and
 * space grow linearly with its length.
 */
export function findInvalidKey(text: string): InvalidKey | undefined {
  // For each open bracket: the keys of an object, or undefined for an array.
  const open: (Set<string> | undefined)[] = []
  let expectsKey = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      const keys = expectsKey ? open.at(-1) : undefined
      if (keys) {
        const key = keyOf(text, at, end)
        if (key === '__proto__') return { key, why: 'reserved' }
        if (keys.has(key)) return { key, why: 'twice' }
        keys.add(key)
        expectsKey = false
      }
      at = end
    } else if (code === 0x7b) {
      open.push(new Set())
      expectsKey = true
    } else if (code === 0x5b) {
      open.push(undefined)
      expectsKey = false
    } else if (code === 0x7d || code === 0x5d) {
      open.pop()
      expectsKey = false
    } else if (code === 0x2c) {
      expectsKey = open.at(-1) !== undefined
    }
  }
  return undefined
}

/**
 * The maximum number of values in a body. Reading millions of tiny ones would block all other
 * requests for a second.
 */
export const valuesMax = 50_000

/**
 * Returns true if the text would have more than `valuesMax` values as JSON. It need not be valid
 * JSON. Stops reading once the limit is exceeded.
 */
export function hasTooManyValues(text: string): boolean {
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    // Each bracket and each comma comes with one value.
    else if (code === 0x2c || code === 0x5b || code === 0x7b) values += 1
    if (values > valuesMax) return true
  }
  return false
}

/** Returns the index of the quote that ends the string starting at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before -= 1
  return (at - before) % 2 === 0
}

function keyOf(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end)
  return key.includes('\\') ? JSON.parse(`"${key}"`) : key
}
