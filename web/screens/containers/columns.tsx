import type { Container } from '../../data/containers.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/columns.ts'
import { ImageName } from '../../parts/image-name.tsx'
import { Link } from '../../parts/link.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ContainerState } from './container-state.tsx'
import { addressOf, rowItems, type Verb } from './container-verbs.ts'
import { publishedPorts } from './published-ports.ts'

/** Returns the columns of the list of containers. */
export const columnsOf = (ask: (container: Container, verb: Verb) => void): Column<Container>[] => [
  {
    key: 'name',
    label: t.containers.name,
    width: 'minmax(140px, 5fr)',
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
    cell: ({ image }) => <ImageName of={image} />,
  },
  {
    key: 'stack',
    label: t.containers.stack,
    width: 'minmax(80px, 3fr)',
    isMinor: true,
    cell: ({ stack, owner }) =>
      owner === 'installation' ? <Badge>{t.containers.ofService}</Badge> : (stack ?? ''),
  },
  {
    key: 'host',
    label: t.containers.host,
    width: 'minmax(64px, 2fr)',
    isMinor: true,
    cell: ({ host_name }) => host_name,
  },
  {
    key: 'ports',
    label: t.containers.ports,
    width: 'minmax(80px, 2fr)',
    isMinor: true,
    cell: ({ ports }) => publishedPorts(ports).join(', '),
  },
  {
    key: 'created',
    label: t.containers.created,
    width: '120px',
    align: 'end',
    isMinor: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'actions',
    label: t.parts.actions,
    head: <span class="hidden-text">{t.parts.actions}</span>,
    width: '64px',
    align: 'end',
    cell: (row) => (
      <Menu
        label={t.containers.actions(row.name)}
        items={rowItems(row, (verb) => ask(row, verb))}
      />
    ),
  },
]
