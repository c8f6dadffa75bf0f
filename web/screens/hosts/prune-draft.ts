import type { PrunePolicy, PrunePolicyBody } from '../../data/prune-policy.ts'

/** The form of a prune policy. */
export interface PruneDraft {
  what: PrunePolicy['what']
  days: string
  schedule: string
  timezone: string
}

/** Schedules that the form offers by name. */
export const pruneSchedules = ['0 4 * * 0', '0 4 * * *'] as const

const usualDays = 30

/** Returns what a form begins with. */
export const draftOf = ({ what, unused_days, schedule, timezone }: PrunePolicy): PruneDraft => ({
  what,
  days: String(unused_days ?? usualDays),
  schedule: schedule ?? pruneSchedules[0],
  timezone: schedule === null ? Intl.DateTimeFormat().resolvedOptions().timeZone : timezone,
})

/** Returns the body that saves a policy. */
export const bodyOf = ({ what, days, schedule, timezone }: PruneDraft): PrunePolicyBody => ({
  schedule: schedule.trim(),
  timezone: timezone.trim(),
  what,
  unused_days: what === 'unused' ? Number(days) : null,
})

/** Returns what a preview is asked for, or undefined while the days are not a number of them. */
export function previewOf({ what, days }: PruneDraft) {
  if (what === 'nameless') return { what }
  const unused_days = Number(days)
  const isValid = Number.isInteger(unused_days) && unused_days >= 1 && unused_days <= 3650
  return isValid ? { what, unused_days } : undefined
}
