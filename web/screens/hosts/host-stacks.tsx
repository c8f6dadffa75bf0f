import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import { servicesText } from '../../data/stack-words.ts'
import { Loaded } from '../../frame/loaded.tsx'
import type { HostId } from '../../host-ids.ts'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { StackState } from '../../parts/stack-state.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'

type Stack = components['schemas']['Stack']

/** The stacks that are placed on a host. */
export function HostStacks({ host }: { host: HostId }) {
  const stacks = useResource('/stacks')
  return (
    <Panel title={t.frame.stacks} isFlush>
      <Loaded of={stacks} what={t.frame.stacks} failed={t.stacks.failed} rows={2}>
        {(value) => <StacksOf rows={value.filter((stack) => stack.host === host)} />}
      </Loaded>
    </Panel>
  )
}

function StacksOf({ rows }: { rows: readonly Stack[] }) {
  if (rows.length === 0) return <Empty title={t.hosts.noStacks} />
  return (
    <Table
      label={t.frame.stacks}
      columns={columnsOf()}
      rows={rows}
      rowKey={({ name }) => name}
      href={({ name }) => `/stacks/${name}`}
    />
  )
}

const columnsOf = (): Column<Stack>[] => [
  {
    key: 'name',
    label: t.stacks.stack,
    sort: ({ name }) => name,
    cell: ({ name }) => (
      <Link href={`/stacks/${name}`} kind="strong">
        {name}
      </Link>
    ),
  },
  {
    key: 'state',
    label: t.stacks.state,
    width: '160px',
    cell: (stack) => <StackState of={stack} />,
  },
  {
    key: 'services',
    label: t.stacks.services,
    width: '96px',
    align: 'end',
    cell: ({ services }) => servicesText(services),
  },
]
