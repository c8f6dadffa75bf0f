import { useComputed } from '@preact/signals'
import { useCallback } from 'preact/hooks'
import type { components } from './api.types.ts'
import type { ContainerRef } from './containers.ts'
import { splitHosts } from './host-lists.ts'
import { usePolled } from './use-polled.ts'

export type ContainerUsage = components['schemas']['ContainerUsage']

/** Returns what a container used in its newest sample; undefined if it does not run. */
export type UsageOf = (container: ContainerRef) => ContainerUsage | undefined

/** Samples are taken every 15 s unless the service is configured otherwise. Milliseconds. */
const pace = 15_000

/** Samples have the first digits of ids. */
const digits = 16

/** Reads what all containers use, in one request, while the component is mounted. */
export function useContainerUsage(): UsageOf {
  const { value } = usePolled('/container-metrics', { host: 'all' }, pace)
  const byId = useComputed(() => {
    const { items } = splitHosts(value.value ?? [])
    return new Map(items.map((one) => [`${one.host_id}/${one.container_id}`, one]))
  })
  return useCallback(
    ({ id, host_id }) => byId.value.get(`${host_id}/${id.slice(0, digits)}`),
    [byId],
  )
}
