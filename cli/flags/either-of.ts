import { wrongUsage } from '../failure.ts'

/**
 * Returns the value of a flag that has two names, by name, or undefined if neither is given. Throws
 * wrong usage if both are.
 */
export function eitherOf(given: Readonly<Record<string, string | undefined>>): string | undefined {
  const values = Object.entries(given).filter(([, value]) => value !== undefined)
  if (values.length > 1) {
    throw wrongUsage(`${values.map(([flag]) => flag).join(' and ')}: use only one`)
  }
  return values[0]?.[1]
}
