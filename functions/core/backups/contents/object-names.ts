import { invalid } from '../../errors.ts'

/**
 * Checks the name of an object or directory at a target. Rejects absolute names, empty segments,
 * `.` and `..`, backslashes, control characters, and names longer than file systems accept.
 *
 * @throws 400 for an invalid name
 */
export function checkName(name: string): void {
  const steps = name.split('/')
  const good =
    name.length <= 900 &&
    steps.every((step) => step !== '' && step !== '.' && step !== '..') &&
    steps.every((step) => new TextEncoder().encode(step).length <= 220) &&
    !/[\\\u0000-\u001f\u007f]/.test(name)
  if (!good) throw invalid(`${JSON.stringify(name)} is not a valid object name`)
}
