import type { Host, Hosts } from '../../functions/core/hosts/ports.ts'
import { type Item, packed, unpacked } from './item.ts'
import type { Table } from './table.ts'

/**
 * Hosts are items (`hosts`, id). The local one exists without an item as `local` says; an item changes its name and tags,
 * while its stacks directory is always the configured one.
 */
export function dynamoHosts(table: Table, local: Host): Hosts {
  const hostOf = (item: Item): Host => {
    const host = unpacked<Host>(item)
    return host.id === local.id ? { ...local, name: host.name, tags: host.tags } : host
  }
  return {
    async find(id) {
      const item = await table.get('hosts', id)
      if (item) return hostOf(item)
      return id === local.id ? structuredClone(local) : undefined
    },
    async list() {
      const hosts = (await table.query('hosts')).map(hostOf)
      if (!hosts.some(({ id }) => id === local.id)) hosts.push(structuredClone(local))
      return hosts.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    async save(host) {
      await table.put({ pk: 'hosts', sk: host.id, ...packed(host) })
    },
  }
}
