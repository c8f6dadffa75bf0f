import { withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { LeaseSnapshot } from '../ports/leases.ts'
import type { Account } from '../records/account.ts'
import type { Deployment } from '../records/deployment.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import { freeStackLease } from '../stacks/stack-lease.ts'
import { acquire } from './acquire.ts'
import { execute } from './execute.ts'
import { type DeploymentResult, finish } from './finish.ts'
import { loadSelected } from './load-selected.ts'
import { prepare } from './prepare.ts'
import { isUpToDate, type RecordedDeployment, record, recordUpToDate } from './record.ts'
import { recordStack } from './record-stack.ts'
import { type DeploymentRequest, type DeployPorts, withGrants } from './request.ts'

/** A deployment that was started. */
export interface RunningDeployment {
  /** The deployment as it was recorded at its start. */
  deployment: Deployment
  /**
   * Writes to the stack's record that the deployment runs, and resolves when it is written. Never
   * rejects. Without a call it is written a moment later.
   */
  startRecorded(): Promise<void>
  /** Resolves when the deployment has ended and its lease is released. Never rejects. */
  finished: Promise<DeploymentResult>
}

/**
 * Deploys, rolls back, stops, restarts or removes a stack. The deployment continues if the caller
 * disconnects. The audit log gets a row while `acquire` takes the lease (none if nothing is to be
 * done), and one before the response. If the response does not wait, `finish` writes a third one,
 * which says how the deployment ended.
 *
 * @param by the account of the user
 * @throws 409 while another deployment of the stack runs, and what `prepare` and `acquire` throw;
 *   nothing on the host has changed then
 */
export async function startDeployment(
  request: DeploymentRequest,
  by: Pick<Account, 'id' | 'username'>,
  ports: DeployPorts,
): Promise<RunningDeployment> {
  const created = { id: ports.random.id(), by, granted: new Set<string>() }
  const before = await requireFreeLease(request, ports)
  const asked = { ...withGrants(request, created.granted), accountId: by.id }
  const prepared = await prepare(asked, ports)
  if (isUpToDate(prepared))
    return ended(await recordUpToDate(prepared, created, ports), request.stack)
  const held = await acquire(prepared, before, created.id, ports)
  const recorded = await record(held, created, ports)
  return run(recorded, ports)
}

/**
 * Returns the state of the stack's lease, once it is free.
 *
 * @throws 409 while another deployment of the stack runs, and 422 or 403 if the files do not load:
 *   errors in a stack's files are reported before a running deployment
 */
async function requireFreeLease(
  request: DeploymentRequest,
  ports: DeployPorts,
): Promise<LeaseSnapshot> {
  return freeStackLease(request.stack.id, ports).catch(async (error) => {
    if (rulesOf(request).from !== 'containers') await loadSelected(request, ports)
    throw error
  })
}

/**
 * Runs a recorded deployment in the background: executes its steps under the lease, then records
 * how it ended.
 */
export function run(recorded: RecordedDeployment, ports: DeployPorts): RunningDeployment {
  const { deployment, prepared, lease } = recorded
  const stackRecord = recordStack(prepared.request.stack, lease.fence, ports)
  const finished = new Promise<DeploymentResult>((resolve) => {
    ports.background.run(`${deployment.kind} ${deployment.stack}`, async (signal) => {
      const result = await withLeaseRenewal(lease, signal, ports, async (held) => {
        const execution = await execute(recorded, stackRecord, held, ports)
        return finish(recorded, execution, stackRecord, held, ports)
      })
      resolve(result)
    })
  })
  return { deployment, startRecorded: stackRecord.flush, finished }
}

const ended = (deployment: Deployment, stack: StackRecord): RunningDeployment => ({
  deployment,
  startRecorded: async () => {},
  finished: Promise.resolve({ deployment, stack }),
})
