import type { Caller } from '../access/account.ts'
import { notFound } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Adoption } from './adoption.ts'

/**
 * Returns an unexpired adoption that the caller started.
 *
 * @throws 404 if there is none with this id, 403 if its host is outside the caller's scope
 */
export async function getAdoption(
  id: string,
  caller: Caller,
  { adoptions, hosts }: Needs<'adoptions' | 'hosts'>,
): Promise<Adoption> {
  const adoption = await adoptions.find(id)
  if (!adoption || adoption.accountId !== caller.account.id) {
    throw notFound(`adoption ${id}: there is no such adoption`)
  }
  await hosts.find(adoption.hostId)
  return adoption
}
