import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import type { PolicyDraft } from './policy-draft.ts'

interface StackPolicyFieldsProps {
  stack: string
  draft: PolicyDraft
  set: (change: Partial<PolicyDraft>) => void
}

/** The fields that only the policy of a stack has: its backup, what is left out, and the order. */
export function StackPolicyFields({ stack, draft, set }: StackPolicyFieldsProps) {
  return (
    <>
      {can('backups:read') && <CheckpointField stack={stack} draft={draft} set={set} />}
      <ExceptField stack={stack} draft={draft} set={set} />
      <AfterField stack={stack} draft={draft} set={set} />
    </>
  )
}

/** The backup job that runs before each update, so that its data can go back. */
function CheckpointField({ stack, draft: { checkpoint }, set }: StackPolicyFieldsProps) {
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
function ExceptField({ stack, draft: { except }, set }: StackPolicyFieldsProps) {
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
function AfterField({ stack, draft: { after }, set }: StackPolicyFieldsProps) {
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
