import { recoveryHolderOf } from '../leases/acquire-with-retry.ts'
import { peekStackLease, tryStackLease } from '../stacks/stack-lease.ts'
import { auditEnd } from './audit-end.ts'
import type { DeployPorts } from './request.ts'

/** Writes the audit row of a deployment whose process died between its end and that row. */
export async function completeAudit(id: string, stack: string, ports: DeployPorts): Promise<void> {
  if ((await peekStackLease(stack, ports)).held) return
  const lease = await tryStackLease(stack, recoveryHolderOf(ports.background.processId, id), ports)
  if (!lease) return
  try {
    await auditEndById(stack, id, ports)
  } finally {
    await ports.leases.release(lease)
  }
}

/** Writes the audit row of a deployment's end, unless it is written. Call it under the lease. */
export async function auditEndById(stack: string, id: string, ports: DeployPorts): Promise<void> {
  const deployment = await ports.deployments.find(stack, id)
  if (deployment) await auditEnd(deployment, ports)
}
