import { metricFacts } from '../../data/alert-metrics.ts'
import { useMatching } from '../../data/rule-subjects.ts'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'
import { type DraftProps, globsOf } from './rule-draft.ts'

/** What a rule applies to, with what that is right now. */
export function MatchFields({ draft, set }: DraftProps) {
  const { metric, match } = draft
  const keys = metricFacts[metric].match
  return (
    <>
      <div class="form-row">
        {keys.map((key) => (
          <TextField
            key={key}
            label={t.alerts.match[key]}
            value={match[key]}
            onInput={(typed) => set({ match: { ...match, [key]: typed } })}
            placeholder={t.alerts.everything}
            autocomplete="off"
            isOptional
          />
        ))}
      </div>
      <p class="quiet-text">{t.alerts.matchHelp}</p>
      <Preview draft={draft} />
    </>
  )
}

const shown = 8

function Preview({ draft }: Pick<DraftProps, 'draft'>) {
  const { subject } = metricFacts[draft.metric]
  const names = useMatching(subject, globsOf(draft))
  if (!names) return null
  const rest = names.length - shown
  return (
    <div class="match-preview" role="status">
      <p>{t.alerts.appliesTo(names.length, t.alerts.subjects[subject])}</p>
      {names.length > 0 && (
        <p class="quiet-text">
          {names.slice(0, shown).join(', ')}
          {rest > 0 && t.alerts.andMore(rest)}
        </p>
      )}
    </div>
  )
}
