import { wrongUsage } from '../failure.ts'

/** The flag of commands that stop containers. */
export const timeoutFlag = {
  '-t, --timeout <seconds>':
    'How long a container may take to stop before it is killed; defaults to the compose file',
} as const

const longest = 3600

/** Returns the value of `--timeout` in seconds. Throws wrong usage for any other text. */
export function timeoutOf({ timeout }: { timeout: string | undefined }): number | undefined {
  if (timeout === undefined) return undefined
  if (/^\d{1,4}$/.test(timeout) && Number(timeout) <= longest) return Number(timeout)
  throw wrongUsage(`--timeout ${JSON.stringify(timeout)}: must be seconds from 0 to ${longest}`)
}
