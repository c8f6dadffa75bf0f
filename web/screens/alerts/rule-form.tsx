import './alerts.css'
import { useSignal } from '@preact/signals'
import { type AlertChannel, type AlertRule, saveRule } from '../../data/alerts.ts'
import { useResource } from '../../data/cache.ts'
import { knowledgeOf } from '../../data/loadable.ts'
import { useAct } from '../../data/use-act.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Link } from '../../parts/link.tsx'
import { Select } from '../../parts/select.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { ConditionFields } from './condition-fields.tsx'
import { MatchFields } from './match-fields.tsx'
import { bodyOf, channelsOf, type DraftProps, draftOf, type RuleDraft } from './rule-draft.ts'

interface RuleFormProps {
  /** The one to change; without it, one is added. */
  rule: AlertRule | undefined
  onClose: () => void
}

/** A rule: when it fires, what it applies to, with a preview of that, and whom it tells. */
export function RuleForm({ rule, onClose }: RuleFormProps) {
  const draft = useSignal<RuleDraft>(draftOf(rule))
  const channels = useResource('/alert-channels')
  const save = useAct(saveRule, {
    ended: ({ name }) => t.alerts.savedRule(name),
    failed: t.alerts.notSavedRule,
    tellsProblem: false,
  })
  const submit = async () => {
    if (await save.run(rule?.id, bodyOf(draft.value, channels.value.value ?? []))) onClose()
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
      blocked={knowledgeOf(channels) === 'loading' ? t.parts.loading(t.alerts.channels) : undefined}
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

/** Whom the rule tells. Says so if it tells no channel. */
function Channels({ draft, set }: DraftProps) {
  const channels = useResource('/alert-channels')
  return (
    <fieldset class="choices">
      <legend>{t.alerts.tells}</legend>
      <Loaded
        of={channels}
        what={t.alerts.channels}
        failed={t.alerts.failedChannels}
        rows={1}
        empty={<NoChannels />}
      >
        {(known) => <Choices of={known} chosen={channelsOf(draft, known)} set={set} />}
      </Loaded>
    </fieldset>
  )
}

interface ChoicesProps extends Pick<DraftProps, 'set'> {
  of: readonly AlertChannel[]
  chosen: readonly string[]
}

function Choices({ of: known, chosen, set }: ChoicesProps) {
  return (
    <>
      {known.map(({ id, name, kind }) => (
        <Checkbox
          key={id}
          label={`${name} (${t.alerts.kinds[kind]})`}
          checked={chosen.includes(id)}
          onChange={(checked) =>
            set({ channels: checked ? [...chosen, id] : chosen.filter((other) => other !== id) })
          }
        />
      ))}
      <p role="status">
        {chosen.length === 0 && <State of="attention" word={t.alerts.tellsNone} />}
      </p>
    </>
  )
}

const NoChannels = () => (
  <p role="status">
    <State of="attention" word={t.alerts.noChannelsYet} />{' '}
    <Link href="/alerts/channels">{t.alerts.addChannel}</Link>
  </p>
)
