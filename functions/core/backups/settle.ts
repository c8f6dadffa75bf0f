import type { Needs } from '../ports.ts'
import { interruptDeployment } from '../stacks/interrupt.ts'
import { changeStack } from '../stacks/locate.ts'
import type { StackRecord } from '../stacks/stack.ts'

type SettlePorts = Needs<'clock' | 'deployments' | 'stacks'>

const reason = 'the service was restored from a backup that was made while this went on'

/** How many deployments of a stack are looked through: the newest is the one that may be running. */
const newest = 20

/**
 * Ends what was going on when the backup was made: nobody carries it out any more, and a restored service must not go on with it
 * by itself, days later. Gives how many deployments that were.
 */
export async function settleRestored(ports: SettlePorts): Promise<number> {
  let settled = 0
  for (const stack of await ports.stacks.list()) settled += await settleStack(stack, ports)
  return settled
}

/** A stack's record and its deployments were read at different moments: what ended by one of them has ended. */
async function settleStack({ id, last }: StackRecord, ports: SettlePorts): Promise<number> {
  const deployments = await ports.deployments.listByStack(id, newest)
  const running = deployments.filter(({ status }) => status === 'running')
  for (const deployment of running) {
    const ended = last?.deploymentId === deployment.id && last.status !== 'running'
    if (ended) await ports.deployments.save({ ...deployment, status: last.status })
    else await interruptDeployment(deployment, reason, ports)
  }
  if (last?.status === 'running' && !running.some((one) => one.id === last.deploymentId)) {
    const known = deployments.find((one) => one.id === last.deploymentId)
    const status = known?.status ?? 'interrupted'
    await changeStack(id, () => ({ last: { ...last, status } }), ports)
  }
  return running.length
}
