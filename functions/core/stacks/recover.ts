import { recoveryHolderOf } from '../acquire-with-retry.ts'
import { type AuditOutcome, serviceRow } from '../audit/row.ts'
import { Failure, wordsOf } from '../errors.ts'
import type { Lease } from '../leases.ts'
import type { Needs } from '../ports.ts'
import { firstPlan } from './carry-out.ts'
import { checkUnderLease } from './check-under-lease.ts'
import { refuseDrift } from './drift.ts'
import { pending } from './execute.ts'
import { interruptDeployment } from './interrupt.ts'
import { seeStack, takeStack, withLatestFence } from './lease.ts'
import { getStack } from './locate.ts'
import { makeReady } from './order.ts'
import { goOn, type RunPorts } from './run.ts'
import type { Deployment } from './stack.ts'

type RecoverPorts = RunPorts & Needs<'audit'>

/**
 * Finds deployments whose process died, which shows in their expired lease, and completes each: it
 * is planned again from the current state of the host, so that nothing is done twice, and run. One
 * that cannot be resumed is marked `interrupted` with the reason. Resolves when all that it took
 * over have ended.
 */
export async function recoverDeployments(ports: RecoverPorts): Promise<void> {
  const running = await ports.deployments.listRunning()
  await Promise.all(running.map((deployment) => recover(deployment.id, deployment.stack, ports)))
}

async function recover(id: string, stack: string, ports: RecoverPorts): Promise<void> {
  const { held } = await seeStack(stack, ports)
  if (held) return
  await agentIsBack(stack, id, ports)
  const acquired = await takeStack(stack, recoveryHolderOf(ports.background.processId, id), ports)
  if (!acquired) return
  const deployment = await ports.deployments.find(stack, id)
  if (deployment?.status !== 'running') return ports.leases.release(acquired)
  const recorded = Math.max(deployment.fence ?? 0, (await ports.stacks.find(stack))?.fence ?? 0)
  const lease = await withLatestFence(acquired, recorded, ports)
  ports.log.warn('a deployment was interrupted: its process ended', { deployment: id, stack })
  const rowId = ports.random.id()
  const record = (outcome: AuditOutcome) =>
    ports.audit.append({ ...rowOf(deployment, outcome, ports), id: rowId })
  await record('begun')
  try {
    await resume(deployment, lease, ports)
  } catch (error) {
    const why = `the service ended while this was running: ${reasonOf(error)}`
    await interruptDeployment(deployment, why, lease.fence, ports)
    await ports.leases.release(lease)
  }
  const ended = await ports.deployments.find(stack, id)
  await record(!ended || ended.status === 'succeeded' ? 'succeeded' : 'failed')
}

/** An agent gets 12 s to reconnect after a restart of the service. Pause in milliseconds. */
const tries = 24
const pause = 500

/** Resolves when the agent of a deployment's host is connected, or after the time limit. */
async function agentIsBack(stack: string, id: string, ports: RecoverPorts): Promise<void> {
  const { clock, deployments, engines } = ports
  const hostId = (await deployments.find(stack, id))?.hostId ?? 'local'
  if (hostId === 'local') return
  for (let left = tries; left > 0; left -= 1) {
    const isBack = await engines.on(hostId).then(
      (engine) => engine.info().then(Boolean, () => false),
      () => false,
    )
    if (isBack) return
    await clock.sleep(pause)
  }
}

/** Returns the audit row for the recovery of a deployment. */
function rowOf(
  { id, stack, hostId, kind }: Deployment,
  outcome: AuditOutcome,
  { clock }: RecoverPorts,
) {
  return serviceRow({
    ...{ id, at: clock.now(), action: 'stacks.recover', outcome },
    ...{ subject: { kind: 'stacks', id: stack }, hosts: [hostId] },
    values: { deployment_id: id, kind },
  })
}

async function resume(deployment: Deployment, lease: Lease, ports: RunPorts): Promise<void> {
  if (deployment.kind === 'restart') {
    throw new Failure(500, 'a restart is not repeated, some services may not have been restarted')
  }
  const { kind, files, environment, options } = deployment
  if (kind === 'remove' && !(await ports.stacks.find(deployment.stack))) {
    await ports.deployments.removeByStack(deployment.stack)
    return ports.leases.release(lease)
  }
  const stack = await getStack(deployment.stack, ports)
  // The deployment was authorised when it began.
  const fetching = deployment.steps.filter((step) => step.kind === 'image').map(({ name }) => name)
  const order = {
    ...{ kind, stack, files, environment, options, fetching },
    reach: deployment.reach ?? 'host',
  }
  const ready = refuseDrift(await makeReady(order, ports))
  await checkUnderLease(ready, ports)
  const kept = deployment.steps.map((step) =>
    step.status === 'done' ? step : { ...step, status: 'skipped' as const },
  )
  const { fence } = lease
  const resumed = { ...deployment, fence, steps: [...kept, ...firstPlan(ready).steps.map(pending)] }
  await ports.deployments.save(resumed)
  await goOn(resumed, ready, lease, ports).done
}

const reasonOf = (error: unknown) => wordsOf(error, 'it could not be resumed')
