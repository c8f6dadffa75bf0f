import { deploysStacks, reachOf } from '../access/reach.ts'
import { targetHost } from '../hosts/target.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import { type EnteredContainer, type EntryPorts, enterContainer } from './enter-container.ts'
import type { Enterer } from './enterer.ts'

/** Returns what a caller may enter. `stacks` is limited to the scope of the caller. */
export const entererOf = (
  caller: Pick<Caller, 'permissions'>,
  ports: Needs<'stacks'>,
): Enterer => ({ reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) })

/**
 * Enters a container on the host that a request names.
 *
 * @param host the ID or name of the host; see `targetHost`
 * @throws what `targetHost` and `enterContainer` throw
 */
export async function enterAsCaller(
  caller: Caller,
  host: string | undefined,
  container: string,
  ports: EntryPorts & Needs<'engines'>,
): Promise<EnteredContainer> {
  const { id: hostId } = await targetHost(host, caller, ports)
  const engine = await ports.engines.on(hostId)
  return enterContainer(container, { hostId, engine }, entererOf(caller, ports), ports)
}
