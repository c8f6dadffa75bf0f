import { forbidden, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { AlertDelivery } from '../core/records/alert-delivery.ts'

/**
 * Returns the delivery with this ID.
 *
 * @throws 403 if its alert is for a host outside the caller's scope, or one that was deleted and
 *   the caller has a scope; 404 if it does not exist
 */
export async function getDelivery(
  id: string,
  caller: Caller,
  { alertDeliveries, hosts }: Needs<'alertDeliveries' | 'hosts'>,
): Promise<AlertDelivery> {
  const found = await alertDeliveries.find(id)
  if (!found) throw notFound('there is no such delivery')
  const host = await hosts.find(found.event.subject.hostId)
  if (!host && caller.scopeTags.length > 0)
    throw forbidden('the host of the delivery is outside your scope')
  return found
}
