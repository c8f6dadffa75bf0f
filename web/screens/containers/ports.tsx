import type { Container } from '../../data/containers.ts'
import { useReadable } from '../../data/use-readable.ts'
import { localHostId } from '../../host-ids.ts'
import { Link } from '../../parts/link.tsx'
import { publishedPorts } from './published-ports.ts'

/** The published ports of a container, as links where a browser reaches them. */
export function Ports({ of: { ports, host_id } }: { of: Pick<Container, 'ports' | 'host_id'> }) {
  const published = publishedPorts(ports, useAddressOf(host_id))
  return (
    <>
      {published.map(({ text, href }, at) => (
        <span key={text}>
          {at > 0 && ', '}
          {href === undefined ? text : <Link href={href}>{text}</Link>}
        </span>
      ))}
    </>
  )
}

/** Returns where users reach a host: the local one as they reach the service. */
function useAddressOf(host: Container['host_id']): string | null {
  const { value } = useReadable('hosts:read', '/hosts')
  const known = value?.find(({ id }) => id === host)?.address ?? null
  return known ?? (host === localHostId ? location.hostname : null)
}
