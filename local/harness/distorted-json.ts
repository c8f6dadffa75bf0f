/** Returns a replacement for a value parsed from JSON. */
export type Distortion = (value: unknown) => unknown

/** Applies `change` to each value, innermost first. */
const everywhere =
  (change: Distortion): Distortion =>
  (value) =>
    change(membersChanged(value, everywhere(change)))

function membersChanged(value: unknown, change: Distortion): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const swapped = (value: unknown): unknown => {
  if (Array.isArray(value)) return { ...value }
  return isObject(value) ? Object.values(value) : value
}

const otherScalar = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** Appends a text to every string but IDs, because a changed ID refers to nothing. */
const appended =
  (text: string): Distortion =>
  (value) =>
    typeof value === 'string' && !/^(sha256:)?[0-9a-f]{12,64}$/.test(value) ? value + text : value

/** Distortions: JSON of the wrong shape, or with the hostile `text`. */
export const distortions = (text: string): Record<string, Distortion> => ({
  'null for every text, number and truth value': everywhere((value) =>
    isObject(value) ? value : null,
  ),
  'null for every member and in every list': (value) =>
    Array.isArray(value)
      ? [...value.map((one) => membersChanged(one, () => null)), null]
      : membersChanged(value, () => null),
  'objects for lists and lists for objects': (value) =>
    Array.isArray(value)
      ? value.map((one) => membersChanged(one, everywhere(swapped)))
      : membersChanged(value, everywhere(swapped)),
  'numbers for texts and texts for numbers': everywhere(otherScalar),
  'nothing in lists and objects': (value) =>
    membersChanged(value, (member) =>
      isObject(member) ? (Array.isArray(member) ? [] : {}) : member,
    ),
  'control characters in every text': everywhere(appended(text)),
})
