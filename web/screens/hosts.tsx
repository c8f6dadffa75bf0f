import './hosts/hosts.css'
import { Plus } from 'lucide'
import { useResource } from '../data/cache.ts'
import type { Measure } from '../data/host-samples.ts'
import type { Host } from '../data/hosts.ts'
import { can } from '../data/session.ts'
import { useOverlay, useQuery } from '../frame/address.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { usePageAction } from '../frame/page-action.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import type { Column } from '../parts/columns.ts'
import { Empty } from '../parts/empty.tsx'
import { Link } from '../parts/link.tsx'
import { None } from '../parts/none.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Table } from '../parts/table.tsx'
import { t } from '../text/text.ts'
import { EnrolHost } from './hosts/enrol-host.tsx'
import { Gauge } from './hosts/gauge.tsx'
import { HostMenu } from './hosts/host-menu.tsx'
import { HostState } from './hosts/host-state.tsx'

/** All hosts with their gauges, and a way to enrol one more. */
export default function Hosts() {
  const hosts = useResource('/hosts')
  const [filter, setFilter] = useQuery('filter')
  const [open, setOpen] = useOverlay('open')
  const mayManage = can('hosts:manage')
  const enrol = () => setOpen('enrol')
  usePageAction(mayManage && { label: t.hosts.enrol, icon: Plus, keys: 'n', run: enrol })
  const words = filter.toLowerCase()
  const isShown = ({ name, tags }: Host) =>
    [name, ...tags].some((text) => text.toLowerCase().includes(words))
  return (
    <Page
      title={t.frame.hosts}
      actions={
        mayManage && (
          <Button kind="primary" icon={Plus} onClick={enrol}>
            {t.hosts.enrol}
          </Button>
        )
      }
      toolbar={<SearchField label={t.hosts.filter} value={filter} onInput={setFilter} />}
    >
      <Loaded of={hosts} what={t.frame.hosts} failed={t.hosts.failed}>
        {(value) => <HostTable rows={value.filter(isShown)} />}
      </Loaded>
      {open === 'enrol' && mayManage && <EnrolHost onClose={() => setOpen('')} />}
    </Page>
  )
}

function HostTable({ rows }: { rows: readonly Host[] }) {
  if (rows.length === 0) return <Empty title={t.parts.noRows} />
  return (
    <Table
      label={t.frame.hosts}
      columns={columnsOf()}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ id }) => `/hosts/${id}`}
      actions={(host) => <HostMenu host={host} />}
    />
  )
}

const gaugeColumn = (of: Measure): Column<Host> => ({
  key: of,
  label: t.hosts[of],
  width: '104px',
  align: 'end',
  isMinor: true,
  cell: ({ id, status }) => (status === 'online' ? <Gauge host={id} of={of} /> : <None />),
})

const columnsOf = (): Column<Host>[] => [
  {
    key: 'name',
    label: t.hosts.host,
    sort: ({ name }) => name,
    cell: ({ id, name, tags }) => (
      <span class="host-name">
        <Link href={`/hosts/${id}`} kind="strong">
          {name}
        </Link>
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    ),
  },
  {
    key: 'state',
    label: t.hosts.state,
    width: '144px',
    sort: ({ status }) => status,
    cell: (host) => (
      <span title={host.error ?? host.warning ?? undefined}>
        <HostState of={host} />
      </span>
    ),
  },
  gaugeColumn('cpu'),
  gaugeColumn('memory'),
  gaugeColumn('disk'),
  {
    key: 'containers',
    label: t.hosts.containers,
    width: '112px',
    align: 'end',
    isMinor: true,
    sort: ({ containers }) => containers?.running ?? -1,
    cell: ({ containers }) => (containers ? `${containers.running}/${containers.total}` : <None />),
  },
  {
    key: 'engine',
    label: t.hosts.engine,
    width: '112px',
    align: 'end',
    isMinor: true,
    cell: ({ engine }) => engine?.version ?? <None />,
  },
]
