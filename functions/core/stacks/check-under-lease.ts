import { claimAll } from '../owners/check-references.ts'
import type { Needs } from '../ports.ts'
import type { ReadyOrder } from './order.ts'
import { refuseLinks } from './refuse-links.ts'

/**
 * Checks what can have changed since the plan: links in the stack's directory, and the owners of
 * what it refers to. Records the stack as the owner of what is its own. Call it under the lease,
 * before the first step.
 *
 * @throws 403 or 409 if the stack may not use something any more
 */
export async function checkUnderLease(
  ready: ReadyOrder,
  ports: Needs<'owners' | 'clock'>,
): Promise<void> {
  await refuseLinks(ready)
  await claimAll(await ready.ownThings(), ready.order.stack.id, ports)
}
