import type { components } from '../../../data/api.types.ts'
import { useResource } from '../../../data/cache.ts'
import { splitHosts } from '../../../data/host-lists.ts'
import { useQuery } from '../../../frame/address.ts'
import { Unreachable } from '../../../frame/host-filter.tsx'
import { Loaded } from '../../../frame/loaded.tsx'
import { Button } from '../../../parts/button.tsx'
import type { Column } from '../../../parts/columns.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Table } from '../../../parts/table.tsx'
import { t } from '../../../text/text.ts'
import { adoptLabel } from './adopt/adopt-label.ts'
import { AdoptProject } from './adopt/adopt-project.tsx'
import { NewStackPage } from './new-stack-page.tsx'

export type Project = components['schemas']['ComposeProject']

const keyOf = ({ host_id, name }: Project) => `${host_id}/${name}`

/** A new stack from a compose project that runs on a host already. */
export default function AdoptStack() {
  const read = useResource('/compose-projects', { host: 'all' })
  const [chosen, choose] = useQuery('project')
  const known = read.value.value && splitHosts(read.value.value)
  const project = known?.items.find((one) => keyOf(one) === chosen)
  return (
    <NewStackPage>
      {project ? (
        <AdoptProject key={chosen} project={project} onClose={() => choose('')} />
      ) : (
        <Loaded
          of={{ ...read, value: { value: known } }}
          what={t.newStack.projects}
          failed={t.newStack.projectsFailed}
        >
          {({ items, unreachable }) => (
            <>
              <Unreachable of={unreachable} />
              <Projects
                of={items.filter(({ managed }) => !managed)}
                isPartial={unreachable.length > 0}
                onChoose={choose}
              />
            </>
          )}
        </Loaded>
      )}
    </NewStackPage>
  )
}

interface ProjectsProps {
  of: readonly Project[]
  /** Other hosts do not respond. */
  isPartial: boolean
  onChoose: (key: string) => void
}

function Projects({ of: projects, isPartial, onChoose }: ProjectsProps) {
  if (projects.length === 0 && isPartial) return <Empty title={t.newStack.noProjectsThere} />
  if (projects.length === 0)
    return <Empty title={t.newStack.noProjects}>{t.newStack.noProjectsNext}</Empty>
  return (
    <Table
      label={t.newStack.projects}
      columns={columnsOf(projects, onChoose)}
      rows={projects}
      rowKey={keyOf}
    />
  )
}

const columnsOf = (
  projects: readonly Project[],
  choose: (key: string) => void,
): Column<Project>[] => [
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
        {adoptLabel(project, projects)}
      </Button>
    ),
  },
]
