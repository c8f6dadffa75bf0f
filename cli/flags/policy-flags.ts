import type { UpdatePolicy } from '../api/types.ts'
import { wrongUsage } from '../failure.ts'
import { choiceOf } from './choice.ts'
import { type DurationUnit, durationOf } from './duration.ts'

/** What policies of one stack and of many say. */
export const policyFlags = {
  '--mode <mode>':
    'off: ask no registry; notify: show newer images, the default; apply: deploy them too',
  '--window <cron>':
    'When updates begin, a cron expression such as "0 3 * * *"; `none`, the default: any time',
  '--timezone <name>': 'Time zone of the window, such as Europe/Berlin; defaults to UTC',
  '--for <duration>': 'How long the window stays open, 5m to 7d; defaults to 2h',
  '--minimum-age <duration>':
    'Deploy images only this long after the service first saw them; defaults to 72h; 0h: at once',
  '--watch-minutes <number>':
    'Watch each update for this long, 1 to 60; `none`, the default: as health checks need',
} as const

/** The flags that name fields of the API. */
export const policyFields = {
  'window.schedule': '--window',
  'window.timezone': '--timezone',
  'window.duration_minutes': '--for',
  minimum_age_hours: '--minimum-age',
  watch_minutes: '--watch-minutes',
} as const

interface PolicyFlags {
  mode: string | undefined
  window: string | undefined
  timezone: string | undefined
  for: string | undefined
  minimumAge: string | undefined
  watchMinutes: string | undefined
}

/** What flags change. Undefined stays as it is. */
export interface PolicyChange {
  mode: UpdatePolicy['mode'] | undefined
  schedule: string | null | undefined
  timezone: string | undefined
  minutes: number | undefined
  hours: number | undefined
  watch: number | null | undefined
}

export const policyChange = (flags: PolicyFlags): PolicyChange => ({
  mode: choiceOf('--mode', flags.mode, ['off', 'notify', 'apply']),
  schedule: flags.window === 'none' ? null : flags.window,
  timezone: flags.timezone,
  minutes: wholeOf('--for', flags.for, 'm', 60, 'minutes'),
  hours: wholeOf('--minimum-age', flags.minimumAge, 'h', 3600, 'hours'),
  watch: flags.watchMinutes === 'none' ? null : minutesOf(flags.watchMinutes),
})

/** Returns whether flags change something. */
export const isChange = (change: object): boolean =>
  Object.values(change).some((one) => one !== undefined)

function minutesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^([1-9]|[1-5]\d|60)$/.test(text)) return Number(text)
  throw wrongUsage(
    `--watch-minutes ${JSON.stringify(text)}: must be a number from 1 to 60, or none`,
  )
}

/** Returns a duration in whole units of so many seconds. */
function wholeOf(
  flag: string,
  text: string | undefined,
  plain: DurationUnit,
  unit: number,
  noun: string,
): number | undefined {
  if (text === undefined) return undefined
  const count = durationOf(flag, text, plain) / unit
  if (Number.isInteger(count)) return count
  throw wrongUsage(`${flag} ${JSON.stringify(text)}: must be whole ${noun}`)
}

/** What a policy of one stack and of many has. */
export type PolicyTerms = Pick<
  UpdatePolicy,
  'mode' | 'window' | 'minimum_age_hours' | 'watch_minutes'
>

/** Returns a policy with the changes of flags. */
export const policyTerms = (before: PolicyTerms, change: PolicyChange): PolicyTerms => ({
  mode: change.mode ?? before.mode,
  window: windowOf(before, change),
  minimum_age_hours: change.hours ?? before.minimum_age_hours,
  watch_minutes: change.watch === undefined ? before.watch_minutes : change.watch,
})

const usualMinutes = 120

function windowOf(
  { window: before }: PolicyTerms,
  { schedule, timezone, minutes }: PolicyChange,
): PolicyTerms['window'] {
  const isShaped = timezone !== undefined || minutes !== undefined
  const kept = schedule === undefined ? before?.schedule : schedule
  if (kept === null || kept === undefined) {
    if (isShaped) throw wrongUsage('--timezone and --for need a window: add --window <cron>')
    return null
  }
  return {
    schedule: kept,
    timezone: timezone ?? before?.timezone ?? 'UTC',
    duration_minutes: minutes ?? before?.duration_minutes ?? usualMinutes,
  }
}

/** Returns a window in words. */
export const windowText = ({ window }: Pick<PolicyTerms, 'window'>): string =>
  window
    ? `${window.schedule} ${window.timezone}, for ${window.duration_minutes} min`
    : 'at any time'
