import { asHostName, type HostId, type HostName } from '../host-ids.ts'
import type { Host } from './hosts.ts'

/** Returns the name to show for a host. */
export type NameOfHost = (id: HostId) => HostName

/**
 * Returns the function that finds the names of hosts. A name is empty until the list is there, or
 * if it lacks the host: ids are not for people. Without a list, the id at least tells hosts apart.
 *
 * @param hosts undefined until it was read, or if it cannot be
 * @param isSettled whether it was read, or cannot be
 */
export function nameOfHostIn(
  hosts: readonly Pick<Host, 'id' | 'name'>[] | undefined,
  isSettled: boolean,
): NameOfHost {
  const names = new Map(hosts?.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? asHostName(!hosts && isSettled ? id : '')
}
