import type { Caller } from '../access/account.ts'
import type { Engine } from '../engine/engine.ts'
import { wordsOf } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { askHost } from './ask-host.ts'
import type { Host } from './ports.ts'
import { targetHost } from './target.ts'

/** Every entry of a list over hosts says where it is. */
export interface Placed {
  host_id: string
  host_name: string
}

/** What `host=all` answers: what was found, and the hosts that could not be asked. */
export interface FanOut<T> {
  items: T[]
  unreachable_hosts: { host_id: string; error: string }[]
}

/**
 * A list from one host as a bare array, or for `all` from every host in the caller's scope, asked in parallel: one that
 * fails or is slow is named in `unreachable_hosts` and holds up no other.
 */
export async function listOverHosts<T>(
  named: string | undefined,
  caller: Caller,
  ports: Needs<'hosts' | 'engines' | 'clock'>,
  list: (engine: Engine, host: Host) => Promise<readonly T[]>,
): Promise<readonly T[] | FanOut<T>> {
  if (named !== 'all') {
    const host = await targetHost(named, caller, ports)
    return list(await ports.engines.on(host.id), host)
  }
  const hosts = await ports.hosts.list()
  const answers = await Promise.all(hosts.map((host) => ask(host, ports, list)))
  return {
    items: answers.flatMap((answer) => ('items' in answer ? answer.items : [])),
    unreachable_hosts: answers.flatMap((answer) => ('error' in answer ? [answer] : [])),
  }
}

async function ask<T>(
  host: Host,
  ports: Needs<'engines' | 'clock'>,
  list: (engine: Engine, host: Host) => Promise<readonly T[]>,
): Promise<{ items: readonly T[] } | { host_id: string; error: string }> {
  try {
    return { items: await askHost(host.id, ports, (engine) => list(engine, host)) }
  } catch (error) {
    return { host_id: host.id, error: wordsOf(error, 'the host could not be asked') }
  }
}

/**
 * Makes a function that turns an Engine's list into the API's, once for each list that the Engine hands out: while
 * nothing changes on the host the same frozen array comes back, and it is not even serialised again.
 */
export function placedList<S, T>(view: (item: S, place: Placed) => T) {
  const made = new WeakMap<readonly S[], { place: Placed; list: readonly T[] }>()
  return (source: readonly S[], host: Host): readonly T[] => {
    const known = made.get(source)
    if (known?.place.host_id === host.id && known.place.host_name === host.name) return known.list
    const place = { host_id: host.id, host_name: host.name }
    const list = Object.freeze(source.map((item) => view(item, place)))
    made.set(source, { place, list })
    return list
  }
}
