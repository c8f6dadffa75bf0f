import { RefreshCw } from 'lucide'
import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import type { ContainerDetails } from '../../data/containers.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'

type Process = components['schemas']['ServiceProcess']

/** The processes of a container of a stack. */
export function Processes({ container }: { container: ContainerDetails }) {
  const { stack, service, state } = container
  if (state !== 'running') return <Empty title={t.container.notRunning} />
  if (stack === null || service === null) return <OfStacks />
  return <OfService container={container} stack={stack} service={service} />
}

const OfStacks = () => (
  <Empty title={t.container.processesOfStacks}>{t.container.processesOfStacksWhy}</Empty>
)

interface OfServiceProps {
  container: ContainerDetails
  stack: string
  service: string
}

function OfService({ container, stack, service }: OfServiceProps) {
  const read = useResource('/stacks/{name}/services/{service}/top', {
    name: stack,
    service,
  })
  const { value, problem, reload } = read
  // A compose project that another tool has made is no stack.
  if (problem.value?.status === 404) return <OfStacks />
  const isOurs = ({ container_id }: Process) => container.id.startsWith(container_id)
  const again = (
    <Button kind="quiet" icon={RefreshCw} onClick={() => void reload()}>
      {t.container.reload}
    </Button>
  )
  return (
    <Panel title={t.container.processes} actions={value.value && again} isFlush>
      <Loaded
        of={read}
        what={t.container.processesWhat}
        failed={t.container.processesFailed}
        rows={3}
        isEmpty={(all) => !all.some(isOurs)}
        empty={<Empty title={t.container.noProcesses} />}
      >
        {(all) => (
          <Table
            label={t.container.processes}
            columns={columns()}
            rows={all.filter(isOurs)}
            rowKey={({ pid }) => String(pid)}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const columns = (): Column<Process>[] => [
  {
    key: 'pid',
    label: t.container.pid,
    width: '96px',
    align: 'end',
    sort: ({ pid }) => pid,
    cell: ({ pid }) => pid,
  },
  {
    key: 'user',
    label: t.container.user,
    width: '120px',
    isMinor: true,
    sort: ({ user }) => user ?? '',
    cell: ({ user }) => user,
  },
  {
    key: 'command',
    label: t.container.command,
    cell: ({ command, program }) => <code title={command ?? program}>{command ?? program}</code>,
  },
  {
    key: 'started',
    // As its host writes it: the page knows neither the time zone there nor the day.
    label: t.container.startedOnHost,
    width: '160px',
    isMinor: true,
    isLabelled: true,
    cell: ({ started }) => started,
  },
  {
    key: 'time',
    label: t.container.cpuTime,
    width: '104px',
    align: 'end',
    sort: ({ cpu_time }) => cpu_time ?? '',
    cell: ({ cpu_time }) => cpu_time,
  },
]
