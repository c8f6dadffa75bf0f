import { publicMessage } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Host } from '../records/host.ts'
import { callHost } from './call-host.ts'
import type { HostFields } from './host-fields.ts'
import { targetHost } from './target.ts'

/** The response for `host=all`: the entries, and the hosts that did not respond. */
export interface FanOut<T> {
  items: T[]
  unreachable_hosts: UnreachableHost[]
}

interface UnreachableHost extends HostFields {
  error: string
}

/**
 * Returns the list of one host as a bare array, or for `all` the lists of every host in the
 * caller's scope, requested in parallel. A host that fails or is slow appears in
 * `unreachable_hosts` and does not delay the others.
 *
 * @param deadline milliseconds for each of all hosts; without it, that of `callHost`
 */
export async function listOverHosts<T>(
  named: string | undefined,
  caller: Caller,
  ports: Needs<'hosts' | 'engines' | 'clock'>,
  list: (engine: Engine, host: Host) => Promise<readonly T[]>,
  deadline?: number,
): Promise<readonly T[] | FanOut<T>> {
  if (named !== 'all') {
    const host = await targetHost(named, caller, ports)
    return list(await ports.engines.on(host.id), host)
  }
  // `ports.hosts` lists only the hosts in the caller's scope.
  const hosts = await ports.hosts.list()
  const answers = await Promise.all(hosts.map((host) => listOrError(host, ports, list, deadline)))
  return {
    items: answers.flatMap((answer) => ('items' in answer ? answer.items : [])),
    unreachable_hosts: answers.flatMap((answer) => ('error' in answer ? [answer] : [])),
  }
}

async function listOrError<T>(
  host: Host,
  ports: Needs<'engines' | 'clock' | 'hosts'>,
  list: (engine: Engine, host: Host) => Promise<readonly T[]>,
  deadline?: number,
): Promise<{ items: readonly T[] } | UnreachableHost> {
  try {
    return { items: await callHost(host.id, ports, (engine) => list(engine, host), deadline) }
  } catch (error) {
    const reason = publicMessage(error, 'the host could not be queried')
    return { host_id: host.id, host_name: host.name, error: reason }
  }
}

/**
 * Returns a function that converts an Engine's list to its API form, once for each list object.
 * While nothing changes on the host it returns the same frozen array, which callers need not
 * serialize again.
 */
export function viewList<S, T>(view: (item: S, hostFields: HostFields) => T) {
  const made = new WeakMap<readonly S[], { hostFields: HostFields; list: readonly T[] }>()
  return (source: readonly S[], host: Host): readonly T[] => {
    const known = made.get(source)
    if (known?.hostFields.host_id === host.id && known.hostFields.host_name === host.name)
      return known.list
    const hostFields = { host_id: host.id, host_name: host.name }
    const list = Object.freeze(source.map((item) => view(item, hostFields)))
    made.set(source, { hostFields, list })
    return list
  }
}
