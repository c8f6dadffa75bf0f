import { useResource } from '../data/cache.ts'
import type { Container } from '../data/containers.ts'
import { removeNetworks } from '../data/removal.ts'
import { useHostFilter } from '../frame/host-filter.tsx'
import { ThingsOfHosts } from '../frame/things-of-hosts.tsx'
import { Badge } from '../parts/badge.tsx'
import { t } from '../text/text.ts'

const networksOf = ({ network_names }: Container) => network_names

/** The networks of all hosts, the stacks that they belong to, and the containers that use them. */
export default function Networks() {
  const [host] = useHostFilter()
  const networks = useResource('/networks', { host })
  return (
    <ThingsOfHosts
      title={t.frame.networks}
      parameter="network"
      of={networks}
      texts={t.networks}
      head={t.networks.network}
      namesIn={networksOf}
      removal={{
        permission: 'networks:delete',
        remove: removeNetworks,
        texts: t.networks.removal,
        fixed: ['bridge', 'host', 'none'],
      }}
      keyOf={({ id, host_id }) => `${id}@${host_id}`}
      mark={({ internal }) => internal && <Badge>{t.networks.internalShort}</Badge>}
      facts={({ id, scope, internal }) => [
        [t.networks.scope, scope],
        [t.networks.reach, internal ? t.networks.internal : t.networks.open],
        [t.hosts.id, <code key="id">{id}</code>],
      ]}
    />
  )
}
