import { useMemo } from 'preact/hooks'
import { api, unwrap } from './api.ts'
import { resource } from './cache.ts'
import { serviceTime } from './clock.ts'
import { splitHosts } from './host-lists.ts'
import { countNewer, isLookDue, type NewerCounts } from './newer-images.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

/** Milliseconds. Events of deployments and of newer images come in between. */
const pace = 60_000
/** Milliseconds, while registries are being asked. */
const paceOfLook = 3000

/**
 * Reads for each service whether its registry has a newer image.
 *
 * @param host an id or a name, or `all`
 */
export function useUpdates(host: string) {
  const known = resource('/updates', { host }).value.value
  const isLooking = known !== undefined && isLookDue(splitHosts(known).items, serviceTime())
  return usePolled('/updates', { host }, isLooking ? paceOfLook : pace)
}

/** Makes the service ask registries now. Returns for how many tags. */
export async function lookNow(): Promise<number> {
  const { tags } = await unwrap(api.POST('/updates/check', { body: {} }))
  refresh('/updates')
  return tags
}

/** Reads what registries have for the services of a stack. */
export function useUpdatesOf(stack: string) {
  const { value } = usePolled('/updates', { stack }, pace)
  return value.value === undefined ? [] : splitHosts(value.value).items
}

/**
 * Reads how many services of each stack have a newer image. A list does not wait for it.
 *
 * @returns the same map until a number changes; undefined until they were read
 */
export function useNewerCounts(): { counts: NewerCounts | undefined; isSettled: boolean } {
  const { value, problem } = usePolled('/updates', { host: 'all', state: 'newer' }, pace)
  const loaded = value.value
  const pairs = loaded && [...countNewer(splitHosts(loaded).items)]
  const words = JSON.stringify(pairs)
  const counts = useMemo(() => pairs && new Map(pairs), [words])
  return { counts, isSettled: loaded !== undefined || problem.value !== undefined }
}
