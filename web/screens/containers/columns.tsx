import type { Container } from '../../data/containers.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/columns.ts'
import { ImageName } from '../../parts/image-name.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ContainerState } from './container-state.tsx'
import { addressOf } from './container-verbs.ts'
import { publishedPorts } from './published-ports.ts'
import { stateWord } from './state-word.ts'

/** Returns the columns of the list of containers. */
export const columnsOf = (): Column<Container>[] => [
  {
    key: 'name',
    label: t.containers.name,
    width: 'minmax(140px, 5fr)',
    sort: ({ name }) => name,
    cell: (row) => (
      <Link href={addressOf(row)} kind="strong">
        {row.name}
      </Link>
    ),
  },
  {
    key: 'state',
    label: t.containers.state,
    width: '112px',
    sort: (row) => t.containerState[stateWord(row)],
    cell: (row) => (
      <span title={row.status}>
        <ContainerState of={row} />
      </span>
    ),
  },
  {
    key: 'image',
    label: t.containers.image,
    width: 'minmax(100px, 5fr)',
    isMinor: true,
    sort: ({ image }) => image,
    cell: ({ image }) => <ImageName of={image} />,
  },
  {
    key: 'stack',
    label: t.containers.stack,
    width: 'minmax(80px, 3fr)',
    isMinor: true,
    sort: ({ stack }) => stack ?? undefined,
    cell: ({ stack, owner }) =>
      owner === 'installation' ? <Badge>{t.containers.ofService}</Badge> : (stack ?? ''),
  },
  {
    key: 'host',
    label: t.containers.host,
    width: 'minmax(64px, 2fr)',
    isMinor: true,
    sort: ({ host_name }) => host_name,
    cell: ({ host_name }) => host_name,
  },
  {
    key: 'ports',
    label: t.containers.ports,
    width: 'minmax(80px, 2fr)',
    isMinor: true,
    sort: ({ ports }) => ports.find((port) => port.public !== null)?.public ?? undefined,
    cell: ({ ports }) => publishedPorts(ports).join(', '),
  },
  {
    key: 'created',
    label: t.containers.created,
    width: '120px',
    align: 'end',
    isMinor: true,
    sort: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
]
