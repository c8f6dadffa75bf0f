import { wrongUsage } from '../failure.ts'
import { parseDuration } from './duration.ts'

/** The flag of commands that stop containers. */
export const timeoutFlag = {
  '-t, --timeout <duration>':
    'Seconds, or such as 2m, until a container is killed; defaults to the compose file',
} as const

const longest = 3600

/** Returns the value of `--timeout` in seconds. Throws wrong usage for any other text. */
export function timeoutOf({ timeout }: { timeout: string | undefined }): number | undefined {
  if (timeout === undefined) return undefined
  const seconds = parseDuration(timeout, 's')
  if (seconds !== undefined && seconds <= longest) return seconds
  throw wrongUsage(
    `--timeout ${JSON.stringify(timeout)}: must be seconds from 0 to ${longest}, or a duration such as 2m`,
  )
}
