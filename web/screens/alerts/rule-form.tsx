import './alerts.css'
import { useSignal } from '@preact/signals'
import { type AlertRule, saveRule } from '../../data/alerts.ts'
import { useResource } from '../../data/cache.ts'
import { useAct } from '../../data/use-act.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { ConditionFields } from './condition-fields.tsx'
import { MatchFields } from './match-fields.tsx'
import { bodyOf, type DraftProps, draftOf, type RuleDraft } from './rule-draft.ts'

interface RuleFormProps {
  /** The one to change; without it, one is added. */
  rule: AlertRule | undefined
  onClose: () => void
}

/** A rule: when it fires, what it applies to, with a preview of that, and whom it tells. */
export function RuleForm({ rule, onClose }: RuleFormProps) {
  const draft = useSignal<RuleDraft>(draftOf(rule))
  const save = useAct(saveRule, {
    ended: ({ name }) => t.alerts.savedRule(name),
    failed: t.alerts.notSavedRule,
    tellsProblem: false,
  })
  const submit = async () => {
    if (await save.run(rule?.id, bodyOf(draft.value))) onClose()
  }
  const set = (change: Partial<RuleDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const { name, severity, enabled } = draft.value
  return (
    <FormDialog
      title={rule ? t.alerts.editRule(rule.name) : t.alerts.addRule}
      action={t.alerts.saveRule}
      size="medium"
      busy={save.pending.value && t.alerts.saving}
      failed={t.alerts.notSavedRule}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div class="form-row">
        <TextField
          label={t.alerts.name}
          value={name}
          onInput={(typed) => set({ name: typed })}
          autocomplete="off"
          required
        />
        <Select
          label={t.alerts.severity}
          value={severity}
          onChange={(value) => set({ severity: value })}
          options={(['info', 'warning', 'critical'] as const).map((value) => ({
            value,
            label: t.alerts.severities[value],
          }))}
        />
      </div>
      <ConditionFields draft={draft.value} set={set} />
      <MatchFields draft={draft.value} set={set} />
      <Channels draft={draft.value} set={set} />
      <Checkbox
        label={t.alerts.enabled}
        checked={enabled}
        onChange={(checked) => set({ enabled: checked })}
      />
    </FormDialog>
  )
}

function Channels({ draft: { channels }, set }: DraftProps) {
  const { value } = useResource('/alert-channels')
  const known = value.value ?? []
  return (
    <fieldset class="choices">
      <legend>{t.alerts.tells}</legend>
      {known.length === 0 && <p class="quiet-text">{t.alerts.noChannelsYet}</p>}
      {known.map(({ id, name, kind }) => (
        <Checkbox
          key={id}
          label={`${name} (${t.alerts.kinds[kind]})`}
          checked={channels.includes(id)}
          onChange={(checked) =>
            set({
              channels: checked ? [...channels, id] : channels.filter((other) => other !== id),
            })
          }
        />
      ))}
    </fieldset>
  )
}
