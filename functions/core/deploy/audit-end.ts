import { appendEnd } from '../audit/append-end.ts'
import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'

type Ports = Needs<'audit' | 'clock' | 'deployments' | 'log'>

/**
 * Writes the audit row of the end of a deployment whose request was answered before, exactly once:
 * the deployment stays marked until the row is written, and a row that is there already is not
 * written again. Call it under the lease of the stack, after the deployment was saved. Never
 * throws: `recoverDeployments` repeats what failed.
 */
export async function auditEnd(deployment: Deployment, ports: Ports): Promise<void> {
  const { unaudited, ...rest } = deployment
  if (!unaudited || deployment.status === 'running') return
  try {
    await writeEndRow(deployment, ports)
    await ports.deployments.save(rest)
  } catch (error) {
    const fields = { deployment: deployment.id, error }
    logFailure(ports.log, 'the end of a deployment is not in the audit log yet', fields)
  }
}

/**
 * Writes the audit row of the end of a deployment, unless it is written or needs none. The
 * deployment stays as it is.
 *
 * @throws what the store throws
 */
export async function writeEndRow(
  deployment: Deployment,
  ports: Needs<'audit' | 'clock'>,
): Promise<void> {
  if (deployment.unaudited) await appendEnd(endOf(deployment), deployment.unaudited, ports)
}

const endOf = ({ id, stack, hostId, kind, status, startedAt }: Deployment) => ({
  id,
  startedAt,
  hostId,
  outcome: status === 'succeeded' ? ('succeeded' as const) : ('failed' as const),
  subject: { kind: 'stacks', id: stack, name: stack },
  values: { deployment_id: id, kind, deployment_status: status },
})
