import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import type { JobDraftProps } from './job-draft.ts'

const usual = ['', '0 3 * * *', '0 */6 * * *', '0 3 * * 0'] as const

/** When a job runs, and how many of its backups are kept. */
export function ScheduleFields({ draft, set }: Omit<JobDraftProps, 'isKnown'>) {
  const { schedule, timezone, keepLast, keepDays } = draft
  const preset = usual.find((one) => one === schedule) ?? 'other'
  return (
    <>
      <div class="form-row">
        <Select
          label={t.backups.schedule}
          value={preset}
          onChange={(value) => set({ schedule: value === 'other' ? `${schedule} ` : value })}
          options={[
            ...usual.map((value, index) => ({ value, label: t.backups.usual[index] ?? value })),
            { value: 'other' as const, label: t.backups.otherSchedule },
          ]}
        />
        {preset === 'other' && (
          <TextField
            label={t.backups.cron}
            value={schedule}
            onInput={(typed) => set({ schedule: typed })}
            autocomplete="off"
            isCode
          />
        )}
        {schedule !== '' && (
          <TextField
            label={t.backups.timezone}
            value={timezone}
            onInput={(typed) => set({ timezone: typed })}
            autocomplete="off"
            required
          />
        )}
      </div>
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
