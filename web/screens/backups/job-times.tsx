import { TextField } from '../../parts/field.tsx'
import { ScheduleFields } from '../../parts/schedule-fields.tsx'
import { t } from '../../text/text.ts'
import type { JobDraftProps } from './job-draft.ts'

const usual = ['', '0 3 * * *', '0 */6 * * *', '0 3 * * 0'] as const

/** When a job runs, and how many of its backups are kept. */
export function JobTimes({ draft, set }: Omit<JobDraftProps, 'isKnown'>) {
  const { keepLast, keepDays } = draft
  return (
    <>
      <ScheduleFields
        label={t.backups.schedule}
        draft={draft}
        set={set}
        usual={usual}
        names={t.backups.usual}
      />
      <div class="form-row">
        <TextField
          label={t.backups.keepLast}
          type="number"
          value={keepLast}
          onInput={(typed) => set({ keepLast: typed })}
          help={t.backups.keepHelp}
          isOptional
        />
        <TextField
          label={t.backups.keepDays}
          type="number"
          value={keepDays}
          onInput={(typed) => set({ keepDays: typed })}
          help={t.backups.keepHelp}
          isOptional
        />
      </div>
    </>
  )
}
