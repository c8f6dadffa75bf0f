import type { Container } from '../data/containers.ts'
import { Link } from '../parts/link.tsx'

/** The name of a container, which leads to it. */
export const ContainerLink = ({ of: { id, host_id, name } }: { of: Container }) => (
  <Link href={`/containers/${encodeURIComponent(host_id)}/${encodeURIComponent(id)}`} kind="quiet">
    {name}
  </Link>
)
