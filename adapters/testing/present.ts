/**
 * Returns the value. For what a test needs and a type cannot promise, such as the first entry of a
 * list.
 *
 * @throws if the value is null or undefined
 */
export function present<T>(value: T, what = 'a value that this test needs'): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`${what} is missing: ${value}`)
  return value
}
