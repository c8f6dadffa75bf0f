import type { HostId } from '../../host-ids.ts'
import type { Column } from '../../parts/columns.ts'
import { ImageName } from '../../parts/image-name.tsx'
import { Link } from '../../parts/link.tsx'
import { Since } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { reachableAt, type ServiceStatus } from './service-row.ts'
import { ServiceState } from './service-state.tsx'
import { Usage } from './service-usage.tsx'

const isUp = ({ state }: ServiceStatus) => state === 'running' || state === 'paused'

interface Wanted {
  /** The host of the containers. */
  host: HostId
  /** Whether the reader may see what the containers use. */
  hasUsage: boolean
  hrefOf: (row: ServiceStatus) => string
}

/** Returns the columns of the services. */
export const serviceColumns = ({ host, hasUsage, hrefOf }: Wanted): Column<ServiceStatus>[] => [
  {
    key: 'service',
    label: t.stack.service,
    width: '144px',
    sort: ({ service }) => service,
    cell: (row) => (
      <Link href={hrefOf(row)} kind="strong">
        {row.service}
        {row.number !== null && row.number > 1 && <span class="number-of"> {row.number}</span>}
      </Link>
    ),
  },
  {
    key: 'state',
    label: t.stack.state,
    width: '152px',
    sort: ({ service_state }) => service_state,
    cell: (row) => <ServiceState row={row} />,
  },
  {
    key: 'image',
    label: t.stack.image,
    isMinor: true,
    sort: ({ image }) => image ?? '',
    cell: ({ image }) => image && <ImageName of={image} />,
  },
  {
    key: 'ports',
    label: t.stack.ports,
    width: '128px',
    isMinor: true,
    cell: (row) => <Ports row={row} />,
  },
  ...(hasUsage ? [usage(host)] : []),
  {
    key: 'uptime',
    label: t.stack.uptime,
    width: '72px',
    align: 'end',
    isMinor: true,
    sort: (row) => (isUp(row) ? (row.started_at ?? '') : ''),
    cell: (row) => isUp(row) && row.started_at !== null && <Since at={row.started_at} />,
  },
  {
    key: 'restarts',
    label: t.stack.restarts,
    width: '72px',
    align: 'end',
    isMinor: true,
    sort: ({ restarts }) => restarts,
    cell: ({ restarts, container_id }) => container_id !== null && restarts,
  },
]

const usage = (host: HostId): Column<ServiceStatus> => ({
  key: 'usage',
  label: t.stack.usage,
  width: '224px',
  isMinor: true,
  cell: (row) => isUp(row) && row.container_id && <Usage id={row.container_id} host={host} />,
})

/** More are in the details of the row. */
const shownMax = 3

/** Where users reach the service: names and published ports, as links where there are any. */
function Ports({ row }: { row: ServiceStatus }) {
  const all = reachableAt(row)
  if (all.length === 0) return null
  const more = all.length - shownMax
  return (
    <span class="ports" title={all.map(({ text }) => text).join(', ')}>
      {all.slice(0, shownMax).map(({ text, href }) =>
        href === undefined ? (
          <span key={text}>{text}</span>
        ) : (
          <Link key={href} href={href}>
            {text}
          </Link>
        ),
      )}
      {more > 0 && <span class="quiet-text">+{more}</span>}
    </span>
  )
}
