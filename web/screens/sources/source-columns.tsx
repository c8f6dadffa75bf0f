import './source-columns.css'
import type { Source } from '../../data/sources.ts'
import type { Column } from '../../parts/columns.ts'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { shortRevision } from './source-url.ts'

export const sourceColumns = (): Column<Source>[] => [
  {
    key: 'name',
    label: t.sources.name,
    sort: ({ name }) => name,
    cell: ({ name, url, ref, last_error: error }) => (
      <span class="source-place">
        <span>{name}</span>
        <code>{url}</code>
        <code>{ref}</code>
        {error && <span>{error.message}</span>}
      </span>
    ),
  },
  {
    key: 'state',
    label: t.sources.state,
    width: '220px',
    sort: (source) => stateWord(source),
    cell: (source) => <SourceState of={source} />,
  },
  {
    key: 'revision',
    label: t.sources.revision,
    width: '144px',
    isMinor: true,
    isLabelled: true,
    cell: ({ revision }) =>
      revision === null ? '–' : <code title={revision}>{shortRevision(revision)}</code>,
  },
  {
    key: 'next',
    label: t.sources.next,
    width: '144px',
    align: 'end',
    isMinor: true,
    sort: ({ next_look_at }) => next_look_at ?? undefined,
    cell: ({ next_look_at }) =>
      next_look_at === null ? t.sources.byHand : <Time at={next_look_at} mayBeAhead />,
  },
]

/** Whether a person has to confirm the key that the server has. */
export const asksForHostKey = ({ last_error }: Source) => last_error?.host_key != null

const stateWord = ({ last_error, last_looked_at }: Source) => {
  if (last_error) return t.sources.reasons[last_error.reason]
  return last_looked_at === null ? t.sources.neverAsked : t.sources.answers
}

/** Whether a source could be read last, and when that was. */
function SourceState({ of }: { of: Source }) {
  const { last_error: error, last_looked_at: at } = of
  const problem = error && (asksForHostKey(of) ? 'attention' : 'failed')
  return (
    <span class="source-state">
      <State of={problem ?? (at === null ? 'unknown' : 'running')} word={stateWord(of)} />
      {at !== null && <Time at={at} />}
    </span>
  )
}
