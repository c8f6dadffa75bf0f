import type { Metric } from '../../data/alert-metrics.ts'
import type { AlertEvent } from '../../data/alerts.ts'
import { useResource } from '../../data/cache.ts'
import { useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { alertTabs } from './alert-tabs.ts'
import { measuredText } from './condition.ts'
import { Severity } from './severity.tsx'
import { SubjectCell } from './subject-cell.tsx'

/** Alerts of the last 30 days: when they fired and when that ended. */
export default function AlertHistory() {
  const events = useResource('/alert-events')
  const [filter, setFilter] = useQuery('filter')
  const words = filter.toLowerCase()
  const isShown = ({ subject, rule_name }: AlertEvent) =>
    [subject.name, subject.host_name, rule_name].some((text) => text.toLowerCase().includes(words))
  return (
    <Page
      title={t.frame.alerts}
      tabs={alertTabs()}
      toolbar={<SearchField label={t.alerts.filter} value={filter} onInput={setFilter} />}
    >
      <Loaded of={events} what={t.alerts.history} failed={t.alerts.failedHistory}>
        {(value) => {
          const rows = value.filter(isShown)
          if (value.length === 0) return <Empty title={t.alerts.noHistory} />
          return rows.length === 0 ? (
            <Empty title={t.parts.noRows} />
          ) : (
            <Table
              label={t.alerts.history}
              columns={columnsOf()}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )
        }}
      </Loaded>
    </Page>
  )
}

const columnsOf = (): Column<AlertEvent>[] => [
  {
    key: 'state',
    label: t.alerts.what,
    width: '120px',
    cell: ({ state, severity }) =>
      state === 'firing' ? (
        <Severity of={severity} />
      ) : (
        <State of="running" word={t.alerts.resolved} />
      ),
  },
  {
    key: 'subject',
    label: t.alerts.about,
    sort: ({ subject }) => subject.name,
    cell: ({ subject }) => <SubjectCell of={subject} />,
  },
  {
    key: 'measured',
    label: t.alerts.measured,
    isMinor: true,
    cell: ({ detail, ...event }) => {
      if (event.subject_gone) return t.alerts.gone
      const measured = measuredText({ ...event, metric: event.metric as Metric })
      return detail === null ? measured : `${measured}: ${detail}`
    },
  },
  {
    key: 'rule',
    label: t.alerts.rule,
    width: '200px',
    isMinor: true,
    sort: ({ rule_name }) => rule_name,
    cell: ({ rule_name }) => rule_name,
  },
  {
    key: 'at',
    label: t.alerts.at,
    width: '128px',
    align: 'end',
    sort: ({ at }) => at,
    cell: ({ at }) => <Time at={at} />,
  },
]
