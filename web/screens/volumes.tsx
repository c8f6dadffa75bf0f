import { useResource } from '../data/cache.ts'
import { useHostFilter } from '../frame/host-filter.tsx'
import { ThingsOfHosts } from '../frame/things-of-hosts.tsx'
import { t } from '../text/text.ts'

/** The volumes of all hosts, and the stacks that they belong to. */
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
      keyOf={({ name, host_id }) => `${name}@${host_id}`}
      facts={({ mountpoint }) => [[t.volumes.path, <code key="path">{mountpoint}</code>]]}
    />
  )
}
