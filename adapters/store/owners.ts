import type { Owners } from '../../functions/core/ports/owners.ts'
import type { OwnedKind, OwnedName, Owner } from '../../functions/core/records/owner.ts'
import type { Item } from './item.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores one item per owned name: `pk` = `owners#<host>`, `sk` = `<kind>#<name>`. A claim is a put
 * on the condition that there is no item. A replacement and a release are on the condition that the
 * stack is the same. So only one of several processes succeeds. Listing a host is one consistent
 * query.
 */
export function storedOwners(table: Table): Owners {
  const ofStack = (stack: string) => ({ if: '#stack = :stack', values: { stack } })
  const find = async (thing: OwnedName) => {
    const { pk, sk } = keyOf(thing)
    const item = await table.get(pk, sk)
    return item && ownerOf(item)
  }
  const list = async (hostId: string) => (await table.query(`owners#${hostId}`)).map(ownerOf)
  return {
    find,
    list,
    async claim(owner) {
      // The item can be removed between the refused put and the read; then the name is free again.
      for (;;) {
        if (await table.put(itemOf(owner), absent)) return owner
        const recorded = await find(owner)
        if (recorded) return recorded
      }
    },
    replace: (owner) => table.put(itemOf(owner), ofStack(owner.stack)),
    async release(owner) {
      await table.remove(keyOf(owner), ofStack(owner.stack))
    },
    async removeByStack(hostId, stack) {
      const own = (await list(hostId)).filter((owner) => owner.stack === stack)
      for (const owner of own) await table.remove(keyOf(owner), ofStack(stack))
    },
  }
}

const keyOf = ({ hostId, kind, name }: OwnedName) => ({
  pk: `owners#${hostId}`,
  sk: `${kind}#${name}`,
})

const itemOf = ({ stack, stackCreatedAt, leftBy, at, ...thing }: Owner): Item => ({
  ...keyOf(thing),
  stack,
  at,
  ...(stackCreatedAt === undefined ? {} : { stackCreatedAt }),
  ...(leftBy === undefined ? {} : { leftById: leftBy.id, leftByName: leftBy.name }),
})

function ownerOf({ pk, sk, stack, stackCreatedAt, leftById, leftByName, at }: Item): Owner {
  const cut = sk.indexOf('#')
  return {
    hostId: pk.slice('owners#'.length),
    kind: sk.slice(0, cut) as OwnedKind,
    name: sk.slice(cut + 1),
    stack: stack as string,
    at: at as number,
    ...(stackCreatedAt === undefined ? {} : { stackCreatedAt: stackCreatedAt as number }),
    ...(leftById === undefined
      ? {}
      : { leftBy: { id: leftById as string, name: leftByName as string } }),
  }
}
