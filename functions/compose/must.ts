/**
 * Returns the value. For a value that the code before guarantees but its type cannot express, such
 * as a map entry under a key that the same function has just set.
 *
 * @throws if the value is missing: an error in the program
 */
export function must<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`${what} is missing`)
  return value
}
