import { serviceRow } from '../audit/row.ts'
import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import type { AuditRow } from '../records/audit-row.ts'
import type { Deployment } from '../records/deployment.ts'

type Ports = Needs<'audit' | 'clock' | 'deployments' | 'log'>

/** How much older than its deployment a row may seem, because clocks differ. Milliseconds. */
const clockSkew = 3_600_000

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
    const since = deployment.startedAt - clockSkew
    if (!(await ports.audit.find(deployment.id, since))) {
      await ports.audit.append(endRow(rest, unaudited, ports.clock.now()))
    }
    await ports.deployments.save(rest)
  } catch (error) {
    const fields = { deployment: deployment.id, error }
    logFailure(ports.log, 'the end of a deployment is not in the audit log yet', fields)
  }
}

/** Returns the row. Its id is that of the deployment, so that a second attempt finds it. */
function endRow(
  { id, stack, hostId, kind, status }: Omit<Deployment, 'unaudited'>,
  { row, ...request }: NonNullable<Deployment['unaudited']>,
  at: number,
): AuditRow {
  return serviceRow({
    ...request,
    id,
    at,
    actor: 'user',
    continues: row,
    outcome: status === 'succeeded' ? 'succeeded' : 'failed',
    subject: { kind: 'stacks', id: stack, name: stack },
    hosts: [hostId],
    values: { deployment_id: id, kind, deployment_status: status },
  })
}
