import type { Hosts } from '../ports/hosts.ts'
import type { Operations } from '../ports/operations.ts'

/**
 * Returns the operations on the hosts in scope. One of a deleted host is visible only without a
 * scope.
 */
export function scopeOperations(
  operations: Operations,
  hosts: Pick<Hosts, 'find' | 'list'>,
): Operations {
  return {
    ...operations,
    async find(id) {
      const operation = await operations.find(id)
      return operation && (await hosts.find(operation.hostId)) ? operation : undefined
    },
    async list(query) {
      const visible = (await hosts.list()).map(({ id }) => id)
      return operations.list({ ...query, hosts: visible })
    },
  }
}
