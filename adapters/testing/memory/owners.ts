import type { Owners } from '../../../functions/core/ports/owners.ts'
import type { OwnedName, Owner } from '../../../functions/core/records/owner.ts'

/** Returns an in-memory store of owners. */
export function memoryOwners(): Owners {
  const owners = new Map<string, Owner>()
  const keyOf = ({ hostId, kind, name }: OwnedName) => JSON.stringify([hostId, kind, name])
  const ofHost = (hostId: string) => [...owners.values()].filter((one) => one.hostId === hostId)
  const order = ({ kind, name }: Owner) => `${kind}#${name}`
  return {
    find: async (thing) => structuredClone(owners.get(keyOf(thing))),
    list: async (hostId) =>
      structuredClone(ofHost(hostId)).sort((a, b) => (order(a) < order(b) ? -1 : 1)),
    async claim(owner) {
      const key = keyOf(owner)
      if (!owners.has(key)) owners.set(key, structuredClone(owner))
      return structuredClone(owners.get(key) ?? owner)
    },
    async replace(owner) {
      if (owners.get(keyOf(owner))?.stack !== owner.stack) return false
      owners.set(keyOf(owner), structuredClone(owner))
      return true
    },
    async release(owner) {
      if (owners.get(keyOf(owner))?.stack === owner.stack) owners.delete(keyOf(owner))
    },
    async removeByStack(hostId, stack) {
      for (const owner of ofHost(hostId)) {
        if (owner.stack === stack) owners.delete(keyOf(owner))
      }
    },
  }
}
