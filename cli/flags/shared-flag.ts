import type { FlagValues } from '../command.ts'
import { wrongUsage } from '../failure.ts'

/** The flag that names the shared variables of a stack. */
export const sharedFlag = {
  '--shared <...set>':
    'Take this set of shared variables; repeatable, replaces earlier sets; `none`: take none',
} as const

/** Returns the sets that the flag names, or undefined without it. */
export function sharedOf({ shared }: FlagValues<typeof sharedFlag>): string[] | undefined {
  if (shared.length === 0) return undefined
  if (!shared.includes('none')) return shared
  if (shared.length > 1) throw wrongUsage('--shared none: use no other --shared with it')
  return []
}
