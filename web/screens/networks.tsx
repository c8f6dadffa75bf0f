import { useResource } from '../data/cache.ts'
import { useHostFilter } from '../frame/host-filter.tsx'
import { ThingsOfHosts } from '../frame/things-of-hosts.tsx'
import { Badge } from '../parts/badge.tsx'
import { t } from '../text/text.ts'

/** The networks of all hosts, and the stacks that they belong to. */
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
