import { expect, test } from 'vitest'
import { deployment, stack } from '../../../adapters/contract/samples.ts'
import { memoryPorts } from '../../../adapters/memory/stores.ts'
import type { DeploymentStatus } from '../stacks/stack.ts'
import { settleRestored } from './settle.ts'

type Status = DeploymentStatus | null

/** The statuses of a stack's record and of its deployment as they were backed up (null: not there), and after they were settled. */
async function settled(inRecord: Status, inDeployment: Status) {
  const ports = memoryPorts()
  const last = inRecord && { deploymentId: 'd1', status: inRecord }
  await ports.stacks.create({ ...stack('shop'), last })
  const running = { ...deployment('d1', 'shop'), status: inDeployment ?? 'running' }
  if (inDeployment) await ports.deployments.create(running)
  const count = await settleRestored(ports)
  const found = await ports.deployments.find('shop', 'd1')
  return [(await ports.stacks.find('shop'))?.last?.status, found?.status, count]
}

test.each<[Status, Status, DeploymentStatus | undefined, DeploymentStatus | undefined, number]>([
  ['running', 'running', 'interrupted', 'interrupted', 1],
  ['succeeded', 'running', 'succeeded', 'succeeded', 1],
  ['running', 'failed', 'failed', 'failed', 0],
  ['running', null, 'interrupted', undefined, 0],
  ['succeeded', 'succeeded', 'succeeded', 'succeeded', 0],
])('a stack whose record says %s and whose deployment says %s', async (record, own, ...after) => {
  expect(await settled(record, own)).toEqual(after)
})

test('a deployment that the record does not know yet is interrupted too', async () => {
  const [status, own, count] = await settled(null, 'running')
  expect([status, own, count]).toEqual(['interrupted', 'interrupted', 1])
})
