import type { Stored } from '../../functions/core/collection.ts'
import type { Host, Hosts } from '../../functions/core/hosts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { namedCollection } from './named-collection.ts'
import type { Table } from './table.ts'

/**
 * Stores hosts as a collection (`hosts`, id) with unique names (`hostname#<lower case name>`).
 * Without an item the local host is as in `local`. Its item can change the name and the tags; the
 * stacks directory is always the configured one.
 */
export function dynamoHosts(table: Table, clock: Clock, local: Host): Hosts {
  const { findByName: _, ...hosts } = namedCollection(table, clock, 'hosts', 'hostname', hostName)
  const unwritten = (): Stored<Host> => ({ ...structuredClone(local), revision: 0 })
  const asConfigured = (host: Stored<Host>): Stored<Host> =>
    host.id === local.id
      ? { ...local, name: host.name, tags: host.tags, revision: host.revision }
      : host
  const find: Hosts['find'] = async (id) => {
    const host = await hosts.find(id)
    if (host) return asConfigured(host)
    return id === local.id ? unwritten() : undefined
  }
  /** The local host has a name even without an item. */
  const isLocalName = async (host: Host) =>
    host.id !== local.id && hostName((await find(local.id))!) === hostName(host)
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
    remove: async (id) => id !== local.id && hosts.remove(id),
  }
}

/** Returns the form of the host's name that must be unique. */
export const hostName = ({ name }: Host) => name.toLowerCase()
