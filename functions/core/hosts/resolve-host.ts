import { invalid } from '../errors.ts'
import type { Host } from '../records/host.ts'
import { normalName } from '../records/normal-name.ts'

/**
 * Returns the host that a text refers to, or undefined if there is none. An id wins over a name. A
 * name wins as written over one that differs in case or Unicode form.
 *
 * @throws 400 with the ids if several hosts have the name
 */
export function resolveHost<H extends Pick<Host, 'id' | 'name'>>(
  text: string,
  hosts: readonly H[],
): H | undefined {
  const wanted = normalName(text)
  const [found, ...others] = firstOf(
    hosts.filter(({ id }) => id === text),
    hosts.filter(({ name }) => name === text),
    hosts.filter(({ name }) => normalName(name) === wanted),
  )
  if (!found || others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id)
  throw invalid(`host ${text}: several hosts have that name, use an id: ${ids.sort().join(', ')}`)
}

const firstOf = <T>(...lists: readonly T[][]): T[] => lists.find((list) => list.length > 0) ?? []

/**
 * Returns whether a host must not be called that, because the text means something else where a
 * host is named: `all`, `local` or the form of an id. The local host may be called `local`.
 */
export function isReservedHostName(name: string, hostId?: string): boolean {
  const compared = normalName(name)
  if (compared === 'local') return hostId !== 'local'
  return compared === 'all' || idForm.test(compared)
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The message for a reserved name. */
export const reservedHostName = 'must not be `all`, `local` or in the form of an id'
