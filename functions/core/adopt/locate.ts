import type { Caller } from '../access/account.ts'
import { notFound } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Adoption } from './adoption.ts'

/** An adoption that the caller began and that has not expired. Throws a `Failure` 404, or 403 for a host outside the scope. */
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
