import '../alerts/alerts.css'
import type { ComponentChildren } from 'preact'
import { session } from '../../data/session.ts'
import { TextField } from '../../parts/field.tsx'
import { ScheduleFields } from '../../parts/schedule-fields.tsx'
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
  return (
    <ScheduleFields
      label={t.updatePolicy.schedule}
      draft={draft}
      set={set}
      usual={usualSchedules}
      names={t.updatePolicy.schedules}
    >
      <TextField
        label={t.updatePolicy.duration}
        type="number"
        value={draft.duration}
        onInput={(typed) => set({ duration: typed })}
        required
      />
    </ScheduleFields>
  )
}
