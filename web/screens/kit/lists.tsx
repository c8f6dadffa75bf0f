import { signal, useSignal } from '@preact/signals'
import { RotateCw } from 'lucide'
import { serviceTime } from '../../data/clock.ts'
import { IconButton } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Link } from '../../parts/link.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { LiveTable, Table } from '../../parts/table.tsx'
import { Since } from '../../parts/time.tsx'
import { useChosen } from '../../parts/use-chosen.ts'
import { Sample } from './sample.tsx'

interface Row {
  name: string
  state: StateName
  host: string
  cpu: number[]
  since: number
}

const started = serviceTime()
const rows: Row[] = [
  { name: 'shop', state: 'running', host: 'nas', cpu: [3, 5, 4, 9, 6], since: started - 4e8 },
  { name: 'blog', state: 'attention', host: 'local', cpu: [1, 1, 2, 1, 1], since: started - 9e6 },
  { name: 'media', state: 'failed', host: 'nas', cpu: [], since: started - 3e5 },
  { name: 'wiki', state: 'stopped', host: 'local', cpu: [], since: started - 8e8 },
]
const many = Array.from({ length: 2000 }, (_, index) => `job-${index + 1}`)
const order = signal(many)
const names = new Map(many.map((name) => [name, signal(name)]))

const columns: Column<Row>[] = [
  {
    key: 'name',
    label: 'Name',
    sort: ({ name }) => name,
    cell: ({ name }) => (
      <Link href="/kit" kind="strong">
        {name}
      </Link>
    ),
  },
  {
    key: 'state',
    label: 'State',
    width: '128px',
    sort: ({ state }) => state,
    cell: ({ state }) => <State of={state} />,
  },
  { key: 'host', label: 'Host', width: '96px', isMinor: true, cell: ({ host }) => host },
  {
    key: 'cpu',
    label: 'CPU',
    width: '96px',
    isMinor: true,
    cell: ({ cpu }) => <Sparkline label={`CPU, now ${cpu.at(-1) ?? 0} %`} values={cpu} />,
  },
  {
    key: 'since',
    label: 'Uptime',
    width: '88px',
    align: 'end',
    sort: ({ since }) => since,
    cell: ({ since }) => <Since at={since} />,
  },
]

const jobColumns: Column<string>[] = [
  {
    key: 'name',
    label: 'Name',
    width: '2fr',
    sort: (name) => name,
    cell: (name) => (
      <Link href={`/kit?job=${name}`} kind="strong">
        {name}
      </Link>
    ),
  },
  { key: 'state', label: 'State', width: '1fr', cell: () => <State of="running" /> },
  { key: 'runs', label: 'Runs', width: '64px', align: 'end', cell: () => 12 },
]

/** A list, and one so long that only the rows in sight are in the page. */
export function Lists() {
  const left = useSignal(rows)
  const chosen = useChosen(many)
  const removing = useSignal<string | undefined>(undefined)
  const close = () => {
    removing.value = undefined
  }
  const remove = () => {
    left.value = left.value.filter(({ name }) => name !== removing.value)
    close()
  }
  return (
    <>
      <Sample name="Table">
        <Table
          label="Stacks"
          columns={columns}
          rows={left.value}
          rowKey={({ name }) => name}
          href={() => '/kit'}
          selected="blog"
          actions={({ name }) => (
            <>
              <IconButton icon={RotateCw} label={`Restart ${name}`} />
              <Menu
                label={`Actions of ${name}`}
                items={[
                  { label: `Restart ${name}`, icon: RotateCw },
                  { label: `Deploy ${name}`, blocked: 'Nothing has changed' },
                  {
                    label: `Remove ${name}`,
                    kind: 'danger',
                    run: () => {
                      removing.value = name
                    },
                  },
                ]}
              />
            </>
          )}
        />
        {removing.value !== undefined && (
          <Confirm
            title={`Remove ${removing.value}?`}
            action={`Remove ${removing.value}`}
            lost="1 row of this table, until the page is loaded again"
            onConfirm={remove}
            onClose={close}
          />
        )}
      </Sample>
      <Sample name="Long table">
        <div class="kit-long-list">
          <LiveTable
            label="Jobs"
            ids={order}
            row={(id) => names.get(id)}
            nameOf={(name) => name}
            orderIn="jobs"
            columns={jobColumns}
            selection={chosen}
          />
        </div>
      </Sample>
    </>
  )
}
