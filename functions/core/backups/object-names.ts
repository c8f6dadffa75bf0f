import { invalid } from '../errors.ts'

/**
 * Refuses what is no name of an object or a directory below a target's place: absolute, with `.` or `..`, with empty steps, with
 * backslashes or control characters, or longer than file systems take.
 */
export function checkName(name: string): void {
  const steps = name.split('/')
  const good =
    name.length <= 900 &&
    steps.every((step) => step !== '' && step !== '.' && step !== '..') &&
    steps.every((step) => new TextEncoder().encode(step).length <= 220) &&
    !/[\\\u0000-\u001f\u007f]/.test(name)
  if (!good) throw invalid(`${JSON.stringify(name)} is not a name that an object can have`)
}
