import type { PolicyTerms, UpdatePolicy, UpdatePolicyBody } from '../../data/update-policy.ts'

/** The form of what all policies have. */
export interface TermsDraft {
  mode: PolicyTerms['mode']
  /** A cron expression; empty for any time. */
  schedule: string
  timezone: string
  /** Minutes. */
  duration: string
  /** Hours. */
  age: string
  /** Minutes; empty for as long as the health checks need. */
  watch: string
}

/** The form of the policy of a stack. */
export interface PolicyDraft extends TermsDraft {
  except: readonly string[]
  /** ID of a backup job. */
  checkpoint: string | null
  /** Stacks that are updated first. */
  after: readonly string[]
}

/** Schedules that the form offers by name. */
export const usualSchedules = ['', '0 3 * * *', '0 3 * * 0'] as const

/** The usual length of a window. Minutes. */
const usualDuration = 120

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns what the fields of all policies begin with. */
export const termsDraftOf = ({
  mode,
  window,
  minimum_age_hours,
  watch_minutes,
}: PolicyTerms): TermsDraft => ({
  mode,
  schedule: window?.schedule ?? '',
  timezone: window?.timezone ?? zone(),
  duration: String(window?.duration_minutes ?? usualDuration),
  age: String(minimum_age_hours),
  watch: watch_minutes === null ? '' : String(watch_minutes),
})

/** Returns what the form of a stack begins with. */
export const draftOf = (policy: UpdatePolicy): PolicyDraft => ({
  ...termsDraftOf(policy),
  except: policy.except,
  checkpoint: policy.checkpoint,
  after: policy.after,
})

/** Returns what the fields of all policies save. */
export const termsOf = ({
  mode,
  schedule,
  timezone,
  duration,
  age,
  watch,
}: TermsDraft): PolicyTerms => ({
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
  watch_minutes: watch.trim() === '' ? null : Number(watch),
})

/** Returns the body that saves the policy of a stack. */
export const bodyOf = (draft: PolicyDraft): UpdatePolicyBody => ({
  ...termsOf(draft),
  except: [...draft.except],
  checkpoint: draft.checkpoint,
  after: [...draft.after],
})
