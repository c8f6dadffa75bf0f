import { execFileSync } from 'node:child_process'

/**
 * Returns the time that all files of a release have, in seconds: `SOURCE_DATE_EPOCH`, or the time
 * of the commit.
 */
export function releaseTime(): number {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined) {
    if (!/^\d+$/.test(given)) throw new Error(`SOURCE_DATE_EPOCH is not a number: ${given}`)
    return Number(given)
  }
  const text = execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' })
  return Number(text.trim())
}
