import { actWithHooks, type ContainerHookPorts } from '../core/deploy/act-with-hooks.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { checkContainer, ownerOf } from '../core/owners/container-owner.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { ContainerAction } from '../core/records/container.ts'
import { withRecordedStop } from '../core/states/record-stop.ts'
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
  ports: ActionPorts,
) {
  const { engine, hostFields } = await targetEngine(host, caller, ports)
  await checkContainer(action.kind === 'start' ? 'start' : 'stop', id, caller, engine)
  const act = () => actWithHooks(id, action, { hostId: hostFields.host_id, engine }, ports)
  const by = caller.account.username
  const after = ends(action)
    ? await withRecordedStop({ hostId: hostFields.host_id, engine, id, by }, ports, act)
    : await act()
  const owner = ownerOf(after, await engine.installation())
  return containerView({ ...after, owner }, hostFields)
}

/** The ports that an action needs. */
export type ActionPorts = ContainerHookPorts & Needs<'hosts' | 'engines' | 'hostStops' | 'clock'>

/** Returns whether an action ends the container for certain. */
const ends = (action: ContainerAction): boolean =>
  action.kind === 'stop' ||
  (action.kind === 'kill' && /^(?:(?:SIG)?KILL|9)?$/.test(action.signal ?? ''))
