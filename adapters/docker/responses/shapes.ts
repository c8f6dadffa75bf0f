import { ForeignResponse } from './errors.ts'

/**
 * Checks a value that was parsed from a response. `place` names it in the error. The check stops at
 * the first fault. zod would collect every fault, so a hostile list of four million zeros, which
 * the limits on a response allow, would block the service for half a minute.
 *
 * @throws ForeignResponse if the value has another shape
 */
export type Shape = (value: unknown, place: string) => void

const shape =
  (what: string, has: (value: unknown) => boolean): Shape =>
  (value, place) => {
    if (!has(value)) throw new ForeignResponse(`${place} is not ${what}`)
  }

export const text = shape('a string', (value) => typeof value === 'string')
export const number = shape('a number', (value) => typeof value === 'number')
export const flag = shape('true or false', (value) => typeof value === 'boolean')

/** An id as Engines assign them, which is safe in a path and in a message. */
export const id = shape(
  'an ID',
  (value) => typeof value === 'string' && /^[A-Za-z0-9][\w.:-]{0,127}$/.test(value),
)

export const oneOf = (...values: string[]) =>
  shape(`one of ${values.join(', ')}`, (value) => values.includes(value as string))

/** Also accepts null and undefined. */
export const optional =
  (inner: Shape): Shape =>
  (value, place) => {
    if (value !== undefined && value !== null) inner(value, place)
  }

export const listOf =
  (item: Shape): Shape =>
  (value, place) => {
    if (!Array.isArray(value)) throw new ForeignResponse(`${place} is not a list`)
    for (const [index, one] of value.entries()) item(one, `${place}[${index}]`)
  }

/** An object with arbitrary keys. */
export const mapOf =
  (member: Shape): Shape =>
  (value, place) => {
    for (const [key, one] of Object.entries(objectIn(value, place))) member(one, `${place}.${key}`)
  }

/** An object with these members, and any others. */
export const object = (members: Record<string, Shape>): Shape => {
  const shapes = Object.entries(members)
  return (value, place) => {
    const found = objectIn(value, place)
    for (const [key, shape] of shapes) shape(found[key], `${place}.${key}`)
  }
}

function objectIn(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new ForeignResponse(`${place} is not an object`)
}

/** Parses the text of a complete response, and checks it. */
export function parsedAs<T>(answer: string, expected: Shape): T {
  const value = JSON.parse(answer)
  expected(value, 'the response')
  return value
}
