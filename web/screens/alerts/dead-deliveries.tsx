import { type AlertDelivery, retryDelivery } from '../../data/alerts.ts'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { None } from '../../parts/none.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** Deliveries that were given up, each with a way to send it again. Nothing without any. */
export function DeadDeliveries() {
  const { value } = useResource('/alert-deliveries', { state: 'dead' })
  const retry = useAct(retryDelivery, {
    ended: () => t.alerts.retried,
    failed: t.alerts.notRetried,
  })
  const rows = value.value ?? []
  if (rows.length === 0) return null
  return (
    <Panel title={t.alerts.dead} isFlush>
      <Table
        label={t.alerts.dead}
        columns={columnsOf()}
        rows={rows}
        rowKey={({ id }) => id}
        actions={({ id }) =>
          can('alerts:manage') && (
            <Button kind="quiet" onClick={() => void retry.run(id)}>
              {t.alerts.retry}
            </Button>
          )
        }
      />
    </Panel>
  )
}

const columnsOf = (): Column<AlertDelivery>[] => [
  {
    key: 'alert',
    label: t.alerts.about,
    cell: ({ event }) => `${event.rule_name}: ${event.subject.name}`,
  },
  {
    key: 'channel',
    label: t.alerts.channel,
    width: '160px',
    cell: ({ channel_name }) => channel_name ?? <None />,
  },
  { key: 'error', label: t.alerts.why, isMinor: true, cell: ({ error }) => error ?? <None /> },
  {
    key: 'at',
    label: t.alerts.at,
    width: '128px',
    align: 'end',
    isMinor: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
]
