import { durationOf } from './duration.ts'
import { userFlags } from './user-flags.ts'

/** The flags of what can be changed of a source. */
export const sourceFlags = {
  '--every <duration>':
    'From one look to the next, 60s to 30d; 5m for a new source; `off`: only when you ask',
  ...userFlags('The account that reads it; the default is the one stored of its registry'),
} as const

/** What errors call the fields of these flags. */
export const sourceFields = { look_every_seconds: '--every', username: '--user' } as const

/** Returns the seconds of `--every`, null for `off`, and undefined without the flag. */
export function everyOf({ every }: { every: string | undefined }): number | null | undefined {
  if (every === undefined) return undefined
  return every === 'off' ? null : durationOf('--every', every, 's')
}
