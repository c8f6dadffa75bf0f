import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
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

/** When updates may begin, of which images, how they are watched, and what is left out. */
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
      <TextField
        label={t.updatePolicy.watch}
        type="number"
        value={draft.watch}
        onInput={(typed) => set({ watch: typed })}
        help={t.updatePolicy.watchHelp}
      />
      {can('backups:read') && <CheckpointField stack={stack} draft={draft} set={set} />}
      <ExceptField stack={stack} draft={draft} set={set} />
      <AfterField stack={stack} draft={draft} set={set} />
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

/** The backup job that runs before each update, so that its data can go back. */
function CheckpointField({ stack, draft: { checkpoint }, set }: PolicyFieldsProps) {
  const { value } = useResource('/backup-jobs')
  const jobs = (value.value ?? []).filter(({ sources }) =>
    sources.some((source) => source.kind === 'stack' && source.name === stack),
  )
  const isListed = checkpoint === null || jobs.some(({ id }) => id === checkpoint)
  return (
    <Select
      label={t.updatePolicy.checkpoint}
      value={checkpoint ?? ''}
      options={[
        { value: '', label: t.updatePolicy.noCheckpoint },
        ...jobs.map(({ id, name }) => ({ value: id, label: name })),
        ...(isListed ? [] : [{ value: checkpoint, label: t.updatePolicy.otherCheckpoint }]),
      ]}
      onChange={(id) => set({ checkpoint: id === '' ? null : id })}
      help={jobs.length === 0 ? t.updatePolicy.checkpointNeeds : t.updatePolicy.checkpointHelp}
    />
  )
}

/** The services that only a person updates, also those that there are no more. */
function ExceptField({ stack, draft: { except }, set }: PolicyFieldsProps) {
  const { value } = useResource('/stacks/{name}/status', { name: stack })
  return (
    <NameChoices
      legend={t.updatePolicy.except}
      known={(value.value ?? []).map(({ service }) => service)}
      chosen={except}
      onChange={(chosen) => set({ except: chosen })}
    />
  )
}

/** The stacks of the same host that are updated first, also those that there are no more. */
function AfterField({ stack, draft: { after }, set }: PolicyFieldsProps) {
  const { value } = useResource('/stacks')
  const all = value.value ?? []
  const host = all.find(({ name }) => name === stack)?.host
  const beside = all.filter((one) => one.host === host && one.name !== stack)
  return (
    <NameChoices
      legend={t.updatePolicy.after}
      known={beside.map(({ name }) => name)}
      chosen={after}
      onChange={(chosen) => set({ after: chosen })}
    />
  )
}

interface NameChoicesProps {
  legend: string
  known: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function NameChoices({ legend, known, chosen, onChange }: NameChoicesProps) {
  const names = [...new Set([...known, ...chosen])].sort()
  if (names.length === 0) return null
  return (
    <fieldset class="choices scrolls">
      <legend>{legend}</legend>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={name}
          checked={chosen.includes(name)}
          onChange={(checked) =>
            onChange(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
          }
        />
      ))}
    </fieldset>
  )
}
