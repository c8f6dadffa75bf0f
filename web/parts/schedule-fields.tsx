import type { ComponentChildren } from 'preact'
import { t } from '../text/text.ts'
import { TextField } from './field.tsx'
import { Select } from './select.tsx'

interface ScheduleDraft {
  /** A cron expression; empty for no schedule. */
  schedule: string
  timezone: string
}

interface ScheduleFieldsProps {
  label: string
  draft: ScheduleDraft
  set: (change: Partial<ScheduleDraft>) => void
  /** Schedules that are offered by name. The empty one means that there is no schedule. */
  usual: readonly string[]
  /** The names of `usual`, in the same order. */
  names: readonly string[]
  /** What only a schedule has. */
  children?: ComponentChildren
}

/** A schedule: one of the usual ones or a cron expression, and its time zone. */
export function ScheduleFields(props: ScheduleFieldsProps) {
  const { label, draft, set, usual, names, children } = props
  const { schedule, timezone } = draft
  const preset = usual.find((one) => one === schedule) ?? 'other'
  return (
    <div class="form-row">
      <Select
        label={label}
        value={preset}
        // With a space it is none of the usual ones, so its field is shown.
        onChange={(value) => set({ schedule: value === 'other' ? `${schedule} ` : value })}
        options={[
          ...usual.map((value, index) => ({ value, label: names[index] ?? value })),
          { value: 'other', label: t.backups.otherSchedule },
        ]}
      />
      {preset === 'other' && (
        <TextField
          label={t.backups.cron}
          value={schedule}
          onInput={(typed) => set({ schedule: typed })}
          autocomplete="off"
          isCode
          required={!usual.includes('')}
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
      {schedule !== '' && children}
    </div>
  )
}
