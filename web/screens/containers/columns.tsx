import type { UsageOf } from '../../data/container-usage.ts'
import type { Container } from '../../data/containers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import type { Column } from '../../parts/columns.ts'
import { numberFormat } from '../../parts/formats.ts'
import { ImageName } from '../../parts/image-name.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ContainerState } from './container-state.tsx'
import { addressOf } from './container-verbs.ts'
import { Ports } from './ports.tsx'
import { stateWord } from './state-word.ts'

interface Wanted {
  usageOf: UsageOf
  /** There are several hosts to tell apart. */
  hasHosts: boolean
}

/** Returns the columns of the list of containers. */
export const columnsOf = ({ usageOf, hasHosts }: Wanted): Column<Container>[] => [
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
    key: 'cpu',
    label: t.container.cpu,
    width: '72px',
    align: 'end',
    isMinor: true,
    sort: (row) => usageOf(row)?.cpu_percent ?? undefined,
    cell: (row) => percentText(usageOf(row)?.cpu_percent),
  },
  {
    key: 'memory',
    label: t.container.memory,
    width: '88px',
    align: 'end',
    isMinor: true,
    sort: (row) => usageOf(row)?.memory,
    cell: (row) => memoryCell(usageOf(row)),
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
  ...(hasHosts ? [host()] : []),
  {
    key: 'ports',
    label: t.containers.ports,
    width: 'minmax(80px, 2fr)',
    isMinor: true,
    sort: ({ ports }) => ports.find((port) => port.public !== null)?.public ?? undefined,
    cell: (row) => <Ports of={row} />,
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

const percentText = (percent: number | null | undefined) =>
  percent === null || percent === undefined ? '' : `${numberFormat(1).format(percent)} %`

const memoryCell = (usage: ReturnType<UsageOf>) => usage && <Bytes of={usage.memory} />

const host = (): Column<Container> => ({
  key: 'host',
  label: t.containers.host,
  width: 'minmax(64px, 2fr)',
  isMinor: true,
  sort: ({ host_name }) => host_name,
  cell: ({ host_name }) => host_name,
})
