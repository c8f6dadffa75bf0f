import type { Caller } from '../core/access/account.ts'
import type { ContainerAction } from '../core/engine/engine.ts'
import { targetEngine } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { containerView } from './view.ts'

/**
 * Runs an action on a container and returns the container as it is afterwards. Shared by start,
 * stop, restart and kill.
 */
export async function actOn(
  id: string,
  action: ContainerAction,
  host: string | undefined,
  caller: Caller,
  ports: Needs<'hosts' | 'engines'>,
) {
  const { engine, place } = await targetEngine(host, caller, ports)
  return containerView(await engine.act(id, action), place)
}
