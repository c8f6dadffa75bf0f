import { useResource } from '../data/cache.ts'
import type { Container } from '../data/containers.ts'
import { removeVolumes } from '../data/removal.ts'
import { useHostFilter } from '../frame/host-filter.tsx'
import { ThingsOfHosts } from '../frame/things-of-hosts.tsx'
import { t } from '../text/text.ts'

const volumesOf = ({ volume_names }: Container) => volume_names

/** The volumes of all hosts, the stacks that they belong to, and the containers that use them. */
export default function Volumes() {
  const [host] = useHostFilter()
  const volumes = useResource('/volumes', { host })
  return (
    <ThingsOfHosts
      title={t.frame.volumes}
      parameter="volume"
      of={volumes}
      texts={t.volumes}
      head={t.volumes.volume}
      namesIn={volumesOf}
      removal={{
        permission: 'volumes:delete',
        remove: removeVolumes,
        texts: t.volumes.removal,
        isTyped: true,
      }}
      keyOf={({ name, host_id }) => `${name}@${host_id}`}
      facts={({ mountpoint }) => [[t.volumes.path, <code key="path">{mountpoint}</code>]]}
    />
  )
}
