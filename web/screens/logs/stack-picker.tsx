import type { components } from '../../data/api.types.ts'
import { servicesText } from '../../data/stack-words.ts'
import { useHostNames } from '../../data/use-host-names.ts'
import type { Column } from '../../parts/columns.ts'
import { Link } from '../../parts/link.tsx'
import { StackState } from '../../parts/stack-state.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'

type Stack = components['schemas']['Stack']

const addressOf = ({ name }: Stack) => `/logs?stacks=${encodeURIComponent(name)}`

const columns = (hostOf: (stack: Stack) => string): Column<Stack>[] => [
  {
    key: 'name',
    label: t.stacks.stack,
    sort: ({ name }) => name,
    cell: (stack) => (
      <Link href={addressOf(stack)} kind="strong">
        {stack.name}
      </Link>
    ),
  },
  {
    key: 'state',
    label: t.stacks.state,
    width: '160px',
    sort: ({ status }) => status,
    cell: (stack) => <StackState of={stack} />,
  },
  {
    key: 'services',
    label: t.stacks.services,
    width: '96px',
    align: 'end',
    isMinor: true,
    cell: ({ services }) => servicesText(services),
  },
  { key: 'host', label: t.stacks.host, width: '160px', isMinor: true, cell: hostOf },
]

/** The stacks, to follow one of them. */
export function StackPicker({ stacks }: { stacks: readonly Stack[] }) {
  const nameOf = useHostNames()
  const hostOf = ({ host }: Stack) => nameOf(host)
  return (
    <Table
      label={t.logs.stacks}
      columns={columns(hostOf)}
      rows={stacks}
      rowKey={({ name }) => name}
      href={addressOf}
    />
  )
}
