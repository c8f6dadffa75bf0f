import type { Alert } from '../data/alerts.ts'
import { useResource } from '../data/cache.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { Badge } from '../parts/badge.tsx'
import type { Column } from '../parts/columns.ts'
import { Empty } from '../parts/empty.tsx'
import { Link, LinkButton } from '../parts/link.tsx'
import { Panel } from '../parts/panel.tsx'
import { Table } from '../parts/table.tsx'
import { Since } from '../parts/time.tsx'
import { t } from '../text/text.ts'
import { alertTabs } from './alerts/alert-tabs.ts'
import { measuredText } from './alerts/condition.ts'
import { Severity } from './alerts/severity.tsx'
import { SubjectCell } from './alerts/subject-cell.tsx'

/** What fires now, and what is about to. */
export default function Alerts() {
  const alerts = useResource('/alerts', { state: 'all' })
  return (
    <Page title={t.frame.alerts} tabs={alertTabs()}>
      <Loaded of={alerts} what={t.frame.alerts} failed={t.alerts.failed} rows={3}>
        {(value) => <Content of={value} />}
      </Loaded>
    </Page>
  )
}

function Content({ of: alerts }: { of: readonly Alert[] }) {
  const firing = alerts.filter(({ state }) => state === 'firing').sort(bySeverity)
  const pending = alerts.filter(({ state }) => state === 'pending')
  return (
    <>
      {firing.length > 0 ? <AlertTable rows={firing} /> : <Quiet />}
      {pending.length > 0 && (
        <Panel title={t.alerts.pending} isFlush>
          <AlertTable rows={pending} />
        </Panel>
      )}
    </>
  )
}

/** No alert fires: because nothing is wrong, or because there are no rules. */
function Quiet() {
  const rules = useResource('/alert-rules')
  return (
    <Loaded
      of={rules}
      what={t.alerts.rules}
      failed={t.alerts.failedRules}
      rows={1}
      empty={<NoRules />}
    >
      {() => <Empty title={t.alerts.quiet} />}
    </Loaded>
  )
}

const NoRules = () => (
  <Empty
    title={t.alerts.noRules}
    action={
      <LinkButton href="/alerts/rules?rule=new" kind="primary">
        {t.alerts.addRule}
      </LinkButton>
    }
  >
    {t.alerts.noRulesNext}
  </Empty>
)

/** What is critical comes first. The rest keeps its order: newest first. */
const bySeverity = (one: Alert, two: Alert) =>
  Number(two.severity === 'critical') - Number(one.severity === 'critical')

const AlertTable = ({ rows }: { rows: readonly Alert[] }) => (
  <Table
    label={t.frame.alerts}
    columns={columnsOf()}
    rows={rows}
    rowKey={({ rule_id, subject }) => `${rule_id} ${subject.kind} ${subject.id} ${subject.host_id}`}
  />
)

const columnsOf = (): Column<Alert>[] => [
  {
    key: 'severity',
    label: t.alerts.severity,
    width: '112px',
    cell: ({ severity }) => <Severity of={severity} />,
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
    cell: (alert) => measuredText(alert),
  },
  {
    key: 'rule',
    label: t.alerts.rule,
    width: '200px',
    isMinor: true,
    cell: ({ rule_id, rule_name, muted }) => (
      <>
        <Link href={`/alerts/rules?rule=${rule_id}`} kind="quiet">
          {rule_name}
        </Link>{' '}
        {muted && <Badge>{t.alerts.muted}</Badge>}
      </>
    ),
  },
  {
    key: 'since',
    label: t.alerts.since,
    width: '88px',
    align: 'end',
    sort: ({ since }) => since,
    cell: ({ since }) => <Since at={since} />,
  },
]
