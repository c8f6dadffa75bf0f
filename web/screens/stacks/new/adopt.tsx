import { useMemo } from 'preact/hooks'
import type { components } from '../../../data/api.types.ts'
import { useResource } from '../../../data/cache.ts'
import { useQuery } from '../../../frame/address.ts'
import { Button } from '../../../parts/button.tsx'
import type { Column } from '../../../parts/columns.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Skeleton } from '../../../parts/skeleton.tsx'
import { State } from '../../../parts/state.tsx'
import { Table } from '../../../parts/table.tsx'
import { t } from '../../../text/text.ts'
import { AdoptProject } from './adopt/adopt-project.tsx'
import { NewStackPage } from './new-stack-page.tsx'

export type Project = components['schemas']['ComposeProject']

const keyOf = ({ host_id, name }: Project) => `${host_id}/${name}`

/** A new stack from a compose project that runs on a host already. */
export default function AdoptStack() {
  const { value, problem, reload } = useResource('/compose-projects', { host: 'all' })
  const [chosen, choose] = useQuery('project')
  const all = value.value && rowsOf(value.value)
  const unreachable = value.value && 'items' in value.value ? value.value.unreachable_hosts : []
  const projects = all?.filter(({ managed }) => !managed)
  const project = all?.find((one) => keyOf(one) === chosen)
  const columns = useMemo(() => columnsOf(choose), [chosen])
  return (
    <NewStackPage>
      {project && <AdoptProject key={chosen} project={project} onClose={() => choose('')} />}
      {!project && unreachable.length > 0 && (
        <State of="attention" word={t.newStack.unreachable(unreachable.length)} />
      )}
      {!project && projects && projects.length > 0 && (
        <Table label={t.newStack.projects} columns={columns} rows={projects} rowKey={keyOf} />
      )}
      {!project && projects?.length === 0 && unreachable.length === 0 && (
        <Empty title={t.newStack.noProjects}>{t.newStack.noProjectsNext}</Empty>
      )}
      {!all && problem.value && (
        <Problem
          title={t.newStack.projectsFailed}
          {...problem.value}
          onRetry={() => void reload()}
        />
      )}
      {!all && !problem.value && <Skeleton what={t.newStack.projects} />}
    </NewStackPage>
  )
}

const rowsOf = <T,>(value: readonly T[] | { items: readonly T[] }): readonly T[] =>
  'items' in value ? value.items : value

const columnsOf = (choose: (key: string) => void): Column<Project>[] => [
  {
    key: 'name',
    label: t.newStack.project,
    sort: ({ name }) => name,
    cell: ({ name }) => <strong>{name}</strong>,
  },
  {
    key: 'host',
    label: t.newStack.host,
    width: '140px',
    isMinor: true,
    sort: ({ host_name }) => host_name,
    cell: ({ host_name }) => host_name,
  },
  {
    key: 'services',
    label: t.stacks.services,
    width: '88px',
    align: 'end',
    isMinor: true,
    cell: ({ services }) => new Set(services.map(({ name }) => name)).size,
  },
  {
    key: 'directory',
    label: t.newStack.directory,
    isMinor: true,
    cell: ({ working_dir }) => <code title={working_dir}>{working_dir}</code>,
  },
  {
    key: 'adopt',
    label: t.parts.actions,
    width: '200px',
    align: 'end',
    cell: (project) => (
      <Button
        kind="quiet"
        blocked={project.refusal ?? undefined}
        onClick={() => choose(keyOf(project))}
      >
        {t.newStack.adoptOne(project.name)}
      </Button>
    ),
  },
]
