import { useMemo } from 'preact/hooks'
import { splitHosts } from './host-lists.ts'
import type { SizeOf, VolumeRef } from './total-size.ts'
import { usePolled } from './use-polled.ts'

/** Milliseconds. The Engine adds up all files each time. */
const pace = 5 * 60_000

const keyOf = ({ name, host_id }: VolumeRef) => `${host_id}/${name}`

/**
 * Reads how much data the volumes of a host hold, or of all hosts. The list does not wait for it.
 *
 * @param host an id or a name, or `all`
 */
export function useVolumeSizes(host: string) {
  const { value, problem, reload } = usePolled('/volume-sizes', { host }, pace)
  const sizes = value.value
  const sizeOf = useMemo((): SizeOf => {
    const items = sizes ? splitHosts(sizes).items : []
    const byKey = new Map(items.map((one) => [keyOf(one), one.bytes]))
    return (volume) => byKey.get(keyOf(volume))
  }, [sizes])
  const missing = sizes ? splitHosts(sizes).unreachable : []
  return { sizeOf, missing, problem: problem.value, reload }
}
