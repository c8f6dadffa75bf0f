import { useResource } from '../../data/cache.ts'
import type { StackDetails } from '../../data/stack-operations.ts'

/** Returns the names of the volumes of a stack, or undefined while they are unknown. */
export function useStackVolumes({ name, host }: StackDetails): readonly string[] | undefined {
  const { value } = useResource('/volumes', { host })
  const found = value.value
  if (found === undefined) return undefined
  const volumes = 'items' in found ? found.items : found
  return volumes.filter(({ stack }) => stack === name).map((volume) => volume.name)
}

/** Returns the number of containers in the status of a stack. */
export function useContainerCount({ name }: StackDetails): number {
  const { value } = useResource('/stacks/{name}/status', { name })
  return (value.value ?? []).filter(({ container_id }) => container_id !== null).length
}
