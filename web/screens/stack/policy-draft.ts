import type { UpdatePolicy, UpdatePolicyBody } from '../../data/update-policy.ts'

/** The form of an update policy. */
export interface PolicyDraft {
  mode: UpdatePolicy['mode']
  /** A cron expression; empty for any time. */
  schedule: string
  timezone: string
  /** Minutes. */
  duration: string
  /** Hours. */
  age: string
  except: readonly string[]
  /** ID of a backup job. */
  checkpoint: string | null
  /** Minutes; empty for as long as the health checks need. */
  watch: string
  /** Stacks that are updated first. */
  after: readonly string[]
}

/** Schedules that the form offers by name. */
export const usualSchedules = ['', '0 3 * * *', '0 3 * * 0'] as const

/** The usual length of a window. Minutes. */
const usualDuration = 120

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns what a form begins with. */
export const draftOf = ({
  mode,
  window,
  minimum_age_hours,
  except,
  checkpoint,
  watch_minutes,
  after,
}: UpdatePolicy): PolicyDraft => ({
  mode,
  schedule: window?.schedule ?? '',
  timezone: window?.timezone ?? zone(),
  duration: String(window?.duration_minutes ?? usualDuration),
  age: String(minimum_age_hours),
  except,
  checkpoint,
  watch: watch_minutes === null ? '' : String(watch_minutes),
  after,
})

/** Returns the body that saves a policy. */
export const bodyOf = ({
  mode,
  schedule,
  timezone,
  duration,
  age,
  except,
  checkpoint,
  watch,
  after,
}: PolicyDraft): UpdatePolicyBody => ({
  mode,
  window:
    schedule.trim() === ''
      ? null
      : {
          schedule: schedule.trim(),
          timezone: timezone.trim(),
          duration_minutes: Number(duration),
        },
  minimum_age_hours: Number(age),
  except: [...except],
  checkpoint,
  watch_minutes: watch.trim() === '' ? null : Number(watch),
  after: [...after],
})
