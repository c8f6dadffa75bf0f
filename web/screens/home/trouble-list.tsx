import { useSignal } from '@preact/signals'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Since } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import type { Trouble } from './merge-troubles.ts'
import type { Troubles as Known } from './use-troubles.ts'

/** More are behind a button. */
const shownMax = 12

/** What is wrong now, on all hosts. One calm line if nothing is. */
export function TroubleList({ troubles, failed, isSettled }: Known) {
  // Nothing is wrong only if all parts say so. What is wrong is shown at once.
  const isKnown = troubles.length > 0 || (isSettled && !failed)
  return (
    <Loaded
      of={{
        value: { value: isKnown ? troubles : undefined },
        problem: { value: isKnown ? undefined : failed?.problem },
        ...(failed && { reload: failed.reload }),
      }}
      what={t.home.troubleWhat}
      failed={t.home.troubleFailed}
      rows={1}
      empty={
        <p class="home-calm" role="status">
          <State of="running" word={t.home.calm} />
        </p>
      }
    >
      {(all) => <Troubles of={all} />}
    </Loaded>
  )
}

function Troubles({ of: troubles }: { of: readonly Trouble[] }) {
  const isAll = useSignal(false)
  const shown = isAll.value ? troubles : troubles.slice(0, shownMax)
  return (
    <Panel title={t.home.trouble(troubles.length)} isFlush>
      <Table
        label={t.home.troubles}
        columns={columns()}
        rows={shown}
        rowKey={({ key }) => key}
        href={({ href }) => href}
      />
      {troubles.length > shown.length && (
        <div class="home-more">
          <Button
            kind="quiet"
            onClick={() => {
              isAll.value = true
            }}
          >
            {t.home.showAll(troubles.length)}
          </Button>
        </div>
      )}
    </Panel>
  )
}

const columns = (): Column<Trouble>[] => [
  {
    key: 'subject',
    label: t.home.subject,
    cell: ({ subject, href }) => (
      <Link href={href} kind="strong">
        {subject}
      </Link>
    ),
  },
  {
    key: 'what',
    label: t.home.what,
    cell: ({ state, what, why }) => (
      <span class="home-trouble" title={why}>
        <State of={state} word={what} />
        {why && <span class="home-why"> {why}</span>}
      </span>
    ),
  },
  { key: 'host', label: t.stacks.host, width: '140px', isMinor: true, cell: ({ host }) => host },
  {
    key: 'since',
    label: t.home.since,
    width: '72px',
    align: 'end',
    isMinor: true,
    cell: ({ since }) => since && <Since at={since} />,
  },
]
