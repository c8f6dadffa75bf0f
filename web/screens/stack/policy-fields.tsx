import { useResource } from '../../data/cache.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { type PolicyDraft, usualSchedules } from './policy-draft.ts'

interface PolicyFieldsProps {
  stack: string
  draft: PolicyDraft
  set: (change: Partial<PolicyDraft>) => void
}

/** When updates may begin, how old an image has to be, and which services are left out. */
export function PolicyFields({ stack, draft, set }: PolicyFieldsProps) {
  return (
    <>
      <WindowFields draft={draft} set={set} />
      <TextField
        label={t.updatePolicy.age}
        type="number"
        value={draft.age}
        onInput={(typed) => set({ age: typed })}
        help={t.updatePolicy.ageHelp}
        required
      />
      <ExceptField stack={stack} draft={draft} set={set} />
    </>
  )
}

function WindowFields({ draft, set }: Omit<PolicyFieldsProps, 'stack'>) {
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

/** The services that only a person updates, also those that there are no more. */
function ExceptField({ stack, draft: { except }, set }: PolicyFieldsProps) {
  const { value } = useResource('/stacks/{name}/status', { name: stack })
  const known = (value.value ?? []).map(({ service }) => service)
  const services = [...new Set([...known, ...except])].sort()
  if (services.length === 0) return null
  return (
    <fieldset class="choices scrolls">
      <legend>{t.updatePolicy.except}</legend>
      {services.map((service) => (
        <Checkbox
          key={service}
          label={service}
          checked={except.includes(service)}
          onChange={(checked) =>
            set({
              except: checked ? [...except, service] : except.filter((other) => other !== service),
            })
          }
        />
      ))}
    </fieldset>
  )
}
