import { useResource } from '../../data/cache.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { useVolumeSizes } from '../../data/volume-sizes.ts'
import { formatBytes } from '../../parts/format-bytes.ts'

/**
 * Returns the names of the volumes of a stack, each with its size once that is known: "shop_data
 * (2 GiB)". Undefined while the names are unknown.
 */
export function useStackVolumes({ name, host }: StackDetails): readonly string[] | undefined {
  const { value } = useResource('/volumes', { host })
  const { sizeOf } = useVolumeSizes(host)
  const found = value.value
  if (found === undefined) return undefined
  const volumes = 'items' in found ? found.items : found
  return volumes
    .filter(({ stack }) => stack === name)
    .map((volume) => {
      const bytes = sizeOf(volume)
      return typeof bytes === 'number' ? `${volume.name} (${formatBytes(bytes)})` : volume.name
    })
}

/** Returns the number of containers in the status of a stack. */
export function useContainerCount({ name }: StackDetails): number {
  const { value } = useResource('/stacks/{name}/status', { name })
  return (value.value ?? []).filter(({ container_id }) => container_id !== null).length
}
