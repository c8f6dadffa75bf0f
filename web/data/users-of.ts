import type { HostId } from '../host-ids.ts'
import type { Container } from './containers.ts'

/** Something of a host that containers use by its name. */
export interface Used {
  name: string
  host_id: HostId
}

/** Returns the containers that use something; undefined while that is not known. */
export type UsersOf = (used: Used) => readonly Container[] | undefined

/** The most containers that the API lists. The users of a longer list are not known. */
const listMax = 1000

interface Known {
  containers: readonly Container[]
  /** Hosts whose containers are missing. */
  unreachable: readonly { host_id: string }[]
}

/** Returns who uses the volumes, or the networks, of hosts. */
export function usersIn(
  known: Known | undefined,
  namesIn: (container: Container) => readonly string[],
): UsersOf {
  if (!known || known.containers.length >= listMax) return () => undefined
  const unknown = new Set(known.unreachable.map(({ host_id }) => host_id))
  const users = new Map<string, Container[]>()
  for (const container of known.containers) {
    for (const name of namesIn(container)) {
      const key = `${container.host_id}/${name}`
      users.set(key, [...(users.get(key) ?? []), container])
    }
  }
  return ({ name, host_id }) =>
    unknown.has(host_id) ? undefined : (users.get(`${host_id}/${name}`) ?? [])
}
