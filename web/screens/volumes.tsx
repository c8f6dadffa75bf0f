import { useResource } from '../data/cache.ts'
import type { Container } from '../data/containers.ts'
import { removeVolumes } from '../data/removal.ts'
import { useVolumeSizes } from '../data/volume-sizes.ts'
import { useHostFilter } from '../frame/host-filter.tsx'
import { ThingsOfHosts } from '../frame/things-of-hosts.tsx'
import { t } from '../text/text.ts'
import { MissingSizes, Size, sizeText } from './volumes/size.tsx'

const volumesOf = ({ volume_names }: Container) => volume_names

/**
 * The volumes of all hosts, the stacks that they belong to, how much data they hold, and the
 * containers that use them.
 */
export default function Volumes() {
  const [host] = useHostFilter()
  const volumes = useResource('/volumes', { host })
  const sizes = useVolumeSizes(host)
  const { sizeOf } = sizes
  return (
    <ThingsOfHosts
      title={t.frame.volumes}
      parameter="volume"
      of={volumes}
      texts={t.volumes}
      head={t.volumes.volume}
      namesIn={volumesOf}
      notice={<MissingSizes of={sizes} volumes={volumes.value.value} />}
      columns={[
        {
          key: 'size',
          label: t.volumes.size,
          width: '96px',
          align: 'end',
          isMinor: true,
          sort: (volume) => sizeOf(volume) ?? undefined,
          cell: (volume) => <Size of={sizeOf(volume)} />,
        },
      ]}
      removal={{
        permission: 'volumes:delete',
        remove: removeVolumes,
        texts: t.volumes.removal,
        isTyped: true,
        dataOf: (chosen) => sizeText(chosen, sizeOf),
      }}
      keyOf={({ name, host_id }) => `${name}@${host_id}`}
      facts={(volume) => [
        [t.volumes.size, <Size key="size" of={sizeOf(volume)} />],
        [t.volumes.path, <code key="path">{volume.mountpoint}</code>],
      ]}
    />
  )
}
