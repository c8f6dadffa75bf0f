import '../alerts/alerts.css'
import type { ComponentChildren } from 'preact'
import { session } from '../../data/session.ts'
import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { type TermsDraft, usualSchedules } from './policy-draft.ts'

interface FieldsProps {
  draft: TermsDraft
  set: (change: Partial<TermsDraft>) => void
}

interface PolicyFieldsProps extends FieldsProps {
  /** User name of the account whose rights updates have now. */
  actsAs: string | null
  /** What only this kind of policy has. */
  children?: ComponentChildren
}

const modes = ['off', 'notify', 'apply'] as const

/**
 * What happens with newer images: nothing, a hint, or updates, when, of which images and how they
 * are watched.
 */
export function PolicyFields({ draft, set, actsAs, children }: PolicyFieldsProps) {
  const { mode, age, watch } = draft
  const other = actsAs === session.user.value?.username ? null : actsAs
  return (
    <>
      <Select
        label={t.updatePolicy.mode}
        help={t.updatePolicy.modeHelp[mode]}
        value={mode}
        onChange={(value) => set({ mode: value })}
        options={modes.map((value) => ({ value, label: t.updatePolicy.modes[value] }))}
      />
      {mode === 'apply' && (
        <>
          <WindowFields draft={draft} set={set} />
          <TextField
            label={t.updatePolicy.age}
            type="number"
            value={age}
            onInput={(typed) => set({ age: typed })}
            help={t.updatePolicy.ageHelp}
            required
          />
          <TextField
            label={t.updatePolicy.watch}
            type="number"
            value={watch}
            onInput={(typed) => set({ watch: typed })}
            help={t.updatePolicy.watchHelp}
          />
          {children}
          <p class="quiet-text">{t.updatePolicy.yours(other)}</p>
        </>
      )}
    </>
  )
}

function WindowFields({ draft, set }: FieldsProps) {
  const { schedule, timezone, duration } = draft
  const preset = usualSchedules.find((one) => one === schedule) ?? 'other'
  return (
    <div class="form-row">
      <Select
        label={t.updatePolicy.schedule}
        value={preset}
        onChange={(value) => set({ schedule: value === 'other' ? `${schedule} ` : value })}
        options={[
          ...usualSchedules.map((value, index) => ({
            value,
            label: t.updatePolicy.schedules[index] ?? value,
          })),
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
        <>
          <TextField
            label={t.backups.timezone}
            value={timezone}
            onInput={(typed) => set({ timezone: typed })}
            autocomplete="off"
            required
          />
          <TextField
            label={t.updatePolicy.duration}
            type="number"
            value={duration}
            onInput={(typed) => set({ duration: typed })}
            required
          />
        </>
      )}
    </div>
  )
}
