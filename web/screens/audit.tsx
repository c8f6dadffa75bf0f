import './audit/audit.css'
import type { components } from '../data/api.types.ts'
import { useResource } from '../data/cache.ts'
import { serviceTime } from '../data/clock.ts'
import { can } from '../data/session.ts'
import { useOverlay, useQuery } from '../frame/address.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { useSelectHref } from '../frame/select-href.ts'
import { Checkbox } from '../parts/checkbox.tsx'
import type { Column } from '../parts/columns.ts'
import { Empty } from '../parts/empty.tsx'
import { Link } from '../parts/link.tsx'
import { isPhone } from '../parts/phone.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Select } from '../parts/select.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../text/text.ts'
import { AuditDetail } from './audit/audit-detail.tsx'
import { ExportAudit } from './audit/export.tsx'
import { Outcome } from './audit/outcome.tsx'
import { actorOf, listedRows, outcomeOf, whatOf } from './audit/row-texts.ts'
import { nameOf, type SubjectNames } from './audit/subject-names.ts'
import { useSubjectNames } from './audit/use-subject-names.ts'
import { Verify } from './audit/verify.tsx'

type AuditRow = components['schemas']['AuditRow']

/** Every change and every refused attempt, newest first; whether the log is intact. */
export default function Audit() {
  const [action] = useQuery('action')
  const [user] = useQuery('user')
  const [days] = useQuery('days')
  const since = days && new Date(startOfTomorrow() - Number(days) * 86_400_000).toISOString()
  const rows = useResource('/audit', {
    ...(action && { action }),
    ...(user && { user_id: user }),
    ...(since && { since }),
  })
  return (
    <Page
      title={t.frame.audit}
      actions={
        <>
          <ExportAudit />
          <Verify />
        </>
      }
      toolbar={<Toolbar />}
    >
      <Loaded of={rows} what={t.frame.audit} failed={t.audit.failed}>
        {(value) => <Content of={value} />}
      </Loaded>
    </Page>
  )
}

const startOfTomorrow = () => new Date(serviceTime()).setHours(24, 0, 0, 0)

function Toolbar() {
  const [filter, setFilter] = useQuery('filter')
  const [action, setAction] = useQuery('action')
  const [days, setDays] = useQuery('days')
  const [traffic, setTraffic] = useQuery('traffic')
  const groups = new Map<string, string>(Object.entries(t.audit.groups))
  const known = ['', ...groups.keys()]
  const options = known.includes(action) ? known : [...known, action]
  return (
    <>
      <SearchField label={t.audit.filter} value={filter} onInput={setFilter} />
      <Select
        label={t.audit.action}
        isBare
        value={action}
        onChange={setAction}
        options={options.map((value) => ({
          value,
          label: groups.get(value) ?? (value || t.audit.allActions),
        }))}
      />
      {can('users:manage') && <UserChoice />}
      <Select
        label={t.audit.time}
        isBare
        value={days}
        onChange={setDays}
        options={['', '1', '7', '30'].map((value) => ({
          value,
          label: value ? t.audit.days(Number(value)) : t.audit.allTime,
        }))}
      />
      <Checkbox
        label={t.audit.traffic}
        checked={traffic !== ''}
        onChange={(isOn) => setTraffic(isOn ? '1' : '')}
      />
    </>
  )
}

function UserChoice() {
  const [user, setUser] = useQuery('user')
  const { value } = useResource('/users')
  return (
    <Select
      label={t.audit.who}
      isBare
      value={user}
      onChange={setUser}
      options={[
        { value: '', label: t.audit.everyone },
        ...(value.value ?? []).map(({ id, username }) => ({ value: id, label: username })),
      ]}
    />
  )
}

function Content({ of: all }: { of: readonly AuditRow[] }) {
  const [filter] = useQuery('filter')
  const [selected, select] = useOverlay('row', isPhone.value)
  const hrefOf = useSelectHref('row')
  const href = ({ id }: AuditRow) => hrefOf(id)
  const words = filter.toLowerCase()
  const names = useSubjectNames(all)
  const subjectOf = ({ subject }: AuditRow) => nameOf(subject, names)
  const [traffic] = useQuery('traffic')
  const counted = traffic ? all : all.filter((row) => !isTraffic(row))
  const rows = listedRows(counted).filter((row) =>
    [
      whatOf(row, names),
      row.action,
      actorOf(row, names),
      subjectOf(row),
      row.subject?.id ?? '',
      row.ip ?? '',
    ].some((text) => text.toLowerCase().includes(words)),
  )
  const row = all.find(({ id }) => id === selected)
  return (
    <>
      {rows.length === 0 ? (
        <Empty title={all.length === 0 ? t.audit.empty : t.parts.noRows} />
      ) : (
        <Table
          label={t.frame.audit}
          columns={columnsOf({ href, names, all })}
          rows={rows}
          rowKey={({ id }) => id}
          href={href}
          selected={selected}
        />
      )}
      {row && (
        <AuditDetail key={row.id} row={row} names={names} all={all} onClose={() => select('')} />
      )}
    </>
  )
}

/** Requests that an open page repeats without the reader. */
const isTraffic = ({ action, outcome }: AuditRow) =>
  outcome === 'succeeded' && ['ws.ticket', 'auth.browser.refresh', 'auth.refresh'].includes(action)

interface Shown {
  href: (row: AuditRow) => string
  names: SubjectNames
  /** The rows of the list. */
  all: readonly AuditRow[]
}

const columnsOf = ({ href, names, all }: Shown): Column<AuditRow>[] => [
  {
    key: 'action',
    label: t.audit.action,
    sort: (row) => whatOf(row, names),
    cell: (row) => (
      <Link href={href(row)} kind="strong">
        {whatOf(row, names)}
      </Link>
    ),
  },
  {
    key: 'subject',
    label: t.audit.subject,
    isMinor: true,
    sort: ({ subject }) => nameOf(subject, names),
    cell: ({ subject }) => nameOf(subject, names),
  },
  {
    key: 'outcome',
    label: t.audit.outcome,
    width: '128px',
    sort: (row) => outcomeOf(row, all),
    cell: (row) => <Outcome of={outcomeOf(row, all)} />,
  },
  {
    key: 'who',
    label: t.audit.who,
    width: '136px',
    isMinor: true,
    sort: (row) => actorOf(row, names),
    cell: (row) => actorOf(row, names),
  },
  {
    key: 'time',
    label: t.audit.time,
    width: '128px',
    align: 'end',
    isMinor: true,
    isLabelled: false,
    cell: ({ time }) => <Time at={time} />,
  },
]
