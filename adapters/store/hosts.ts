import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Stored } from '../../functions/core/ports/collection.ts'
import type { Hosts } from '../../functions/core/ports/hosts.ts'
import type { Host } from '../../functions/core/records/host.ts'
import { normalName } from '../../functions/core/records/normal-name.ts'
import { namedCollection } from './named-collection.ts'
import type { Table } from './table.ts'

/**
 * Stores hosts as a collection (`hosts`, id) with unique names (`hostname#<lower case name>`).
 * Without an item the local host is as in `local`. Its item can change the name, the tags and the
 * address; the stacks directory is always the configured one.
 */
export function storedHosts(table: Table, clock: Clock, local: Host): Hosts {
  const { findByName: _, ...hosts } = namedCollection(table, clock, 'hosts', 'hostname', hostName)
  const unwritten = (): Stored<Host> => ({ ...structuredClone(local), revision: 0 })
  const asConfigured = (host: Stored<Host>): Stored<Host> =>
    host.id === local.id ? { ...local, ...changeable(host) } : host
  const find: Hosts['find'] = async (id) => {
    const host = await hosts.find(id)
    if (host) return asConfigured(host)
    return id === local.id ? unwritten() : undefined
  }
  /** The local host has a name even without an item. */
  const isLocalName = async (host: Host) =>
    host.id !== local.id && hostName((await find(local.id)) ?? local) === hostName(host)
  return {
    find,
    async list() {
      const found = (await hosts.list()).map(asConfigured)
      if (!found.some(({ id }) => id === local.id)) found.push(unwritten())
      return found.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    create: async (host) =>
      host.id !== local.id && !(await isLocalName(host)) && hosts.create(host),
    async replace(host) {
      if (await isLocalName(host)) return undefined
      if (host.id !== local.id || host.revision !== 0) return hosts.replace(host)
      const { revision, ...first } = host
      return (await hosts.create(first)) ? find(host.id) : undefined
    },
    remove: async (id, revision) => id !== local.id && hosts.remove(id, revision),
  }
}

const changeable = ({ name, tags, address, revision }: Stored<Host>) => ({
  name,
  tags,
  revision,
  ...(address !== undefined && { address }),
})

/** Returns the form of the host's name that must be unique. */
export const hostName = ({ name }: Host) => normalName(name)
