import { expect, test } from 'vitest'
import { backupJob, backupRun, deployment, stack } from '../../../adapters/contract/samples.ts'
import { memoryPorts } from '../../../adapters/memory/stores.ts'
import type { DeploymentStatus } from '../stacks/stack.ts'
import { type CompletedRun, settleRestored } from './settle.ts'

const from: CompletedRun = {
  manifest: {
    ...{ format: 1, version: '0.1.0', run: 'r1', objects: [] },
    ...{ job: { id: 'j1', name: 'nightly' }, host: { id: 'local', name: 'local' } },
    ...{ started_at: '2026-11-21T00:00:00Z', finished_at: '2026-11-21T00:01:00Z' },
  },
  sha256: 'a'.repeat(64),
  bytes: 700,
}

type Status = DeploymentStatus | null

/**
 * Settles a stack whose record and deployment were backed up with these statuses (null: no such
 * record), and returns the statuses after that.
 */
async function settled(inRecord: Status, inDeployment: Status) {
  const ports = memoryPorts()
  const last = inRecord && { deploymentId: 'd1', status: inRecord }
  await ports.stacks.create({ ...stack('shop'), last })
  const running = { ...deployment('d1', 'shop'), status: inDeployment ?? 'running' }
  if (inDeployment) await ports.deployments.create(running)
  const count = await settleRestored(from, ports)
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

test('the run that made the backup is a good one, others are interrupted, and nothing is removed for them', async () => {
  const ports = memoryPorts()
  await ports.backupJobs.create({ ...backupJob('j1', 'nightly'), lastRun: lastRun('r1') })
  for (const id of ['r1', 'r2']) {
    await ports.backupRuns.create({ ...backupRun(id, 'j1'), status: 'running', leftovers: true })
  }
  await settleRestored(from, ports)
  expect(await ports.backupRuns.find('r1')).toMatchObject({
    ...{ status: 'succeeded', size: 700, leftovers: false },
    finishedAt: Date.parse('2026-11-21T00:01:00Z'),
  })
  expect(await ports.backupRuns.find('r2')).toMatchObject({
    ...{ status: 'interrupted', leftovers: false },
  })
  expect((await ports.backupJobs.find('j1'))?.lastRun?.status).toBe('succeeded')
})

const lastRun = (id: string) => ({
  ...{ id, status: 'running' as const, startedAt: 0, finishedAt: null, error: null },
})
