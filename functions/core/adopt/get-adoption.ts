import { notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Upload } from '../records/upload.ts'

/**
 * Returns an unexpired adoption that the caller started.
 *
 * @throws 404 if there is none with this id, 403 if its host is outside the caller's scope
 */
export async function getAdoption(
  id: string,
  caller: Caller,
  { uploads, hosts }: Needs<'uploads' | 'hosts'>,
): Promise<Upload> {
  const adoption = await uploads.find(id)
  if (!adoption || adoption.purpose || adoption.accountId !== caller.account.id) {
    throw notFound(`adoption ${id}: there is no such adoption`)
  }
  await hosts.find(adoption.hostId)
  return adoption
}
