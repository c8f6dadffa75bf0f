import { must } from '../../compose/must.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { StackRecord } from '../records/stack.ts'
import { type ObservePorts, observeHost } from './observe-host.ts'
import { type StackState, stackState } from './stack-state.ts'

/**
 * Returns the states of stacks, with one list of containers per host. Stacks on a host that does
 * not respond are `unknown`; this never fails because of a host.
 */
export async function stackStates(
  stacks: readonly StackRecord[],
  ports: ObservePorts,
): Promise<StackState[]> {
  const names = new Map<string, Set<string>>()
  for (const { id, hostId } of stacks) {
    names.set(hostId, (names.get(hostId) ?? new Set()).add(id))
  }
  const unobserved = ignoreFailure('observe a host')
  const hosts = new Map(
    await Promise.all(
      [...names].map(async ([hostId, own]) => {
        const host = await observeHost(hostId, { stacks: own }, ports).catch(unobserved)
        return [hostId, host] as const
      }),
    ),
  )
  return stacks.map((stack) => stackState(stack, hosts.get(stack.hostId)))
}

/** Returns the state of one stack; `unknown` if its host does not respond. */
export async function stackStateOf(stack: StackRecord, ports: ObservePorts): Promise<StackState> {
  const [state] = await stackStates([stack], ports)
  return must(state, 'state of the stack')
}
