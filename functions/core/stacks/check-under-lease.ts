import { claimAll } from '../owners/check-references.ts'
import type { Needs } from '../ports.ts'
import type { ReadyOrder } from './order.ts'
import { refuseLinks } from './refuse-links.ts'

/**
 * Checks what can have changed since the plan: links in the stack's directory, and the owners of
 * the volumes and networks that it uses. Claims those that belong to the stack. Call it under the
 * lease, before the first step.
 *
 * @throws 403 or 409 if a check fails
 */
export async function checkUnderLease(
  ready: ReadyOrder,
  ports: Needs<'owners' | 'clock'>,
): Promise<void> {
  await refuseLinks(ready)
  await claimAll(await ready.ownThings(), ready.order.stack.id, ports)
}
