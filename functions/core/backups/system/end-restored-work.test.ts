import { expect, test } from 'vitest'
import {
  backupJob,
  backupRun,
  deployment,
  stack,
} from '../../../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../../../adapters/testing/memory/stores.ts'
import type { DeploymentStatus } from '../../records/deployment.ts'
import { type CompletedRun, endRestoredWork } from './end-restored-work.ts'

const from: CompletedRun = {
  manifest: {
    format: 1,
    version: '0.1.0',
    run: 'r1',
    objects: [],
    job: { id: 'j1', name: 'nightly' },
    host: { id: 'local', name: 'Cellar' },
    started_at: '2026-11-21T00:00:00Z',
    finished_at: '2026-11-21T00:01:00Z',
  },
  sha256: 'a'.repeat(64),
  bytes: 700,
}

type Status = DeploymentStatus | null

/**
 * Ends a stack whose record and deployment were backed up with these statuses (null: no such
 * record), and returns the statuses after that.
 */
async function ended(inRecord: Status, inDeployment: Status) {
  const ports = memoryPorts()
  const last = inRecord && { deploymentId: 'd1', status: inRecord }
  await ports.stacks.create({ ...stack('shop'), last })
  const running = { ...deployment('d1', 'shop'), status: inDeployment ?? 'running' }
  if (inDeployment) await ports.deployments.create(running)
  const count = await endRestoredWork(from, ports)
  const found = await ports.deployments.find('shop', 'd1')
  return [(await ports.stacks.find('shop'))?.last?.status, found?.status, count]
}

test.each<[Status, Status, DeploymentStatus | undefined, DeploymentStatus | undefined, number]>([
  ['running', 'running', 'interrupted', 'interrupted', 1],
  ['succeeded', 'running', 'succeeded', 'succeeded', 1],
  ['running', 'failed', 'failed', 'failed', 0],
  ['running', null, 'interrupted', undefined, 0],
  ['succeeded', 'succeeded', 'succeeded', 'succeeded', 0],
])(
  'ends a stack whose record says %s and whose deployment says %s',
  async (record, own, ...after) => {
    expect(await ended(record, own)).toEqual(after)
  },
)

test('the record of a stack says how its last deployment ended', async () => {
  const ports = memoryPorts()
  const last = { deploymentId: 'd1', kind: 'deploy' as const, status: 'running' as const }
  await ports.stacks.create({ ...stack('shop'), last })
  const ended = { status: 'failed' as const, error: 'no luck', finishedAt: 7 }
  await ports.deployments.create({ ...deployment('d1', 'shop'), ...ended })
  await endRestoredWork(from, ports)
  expect((await ports.stacks.find('shop'))?.last).toEqual({ ...last, ...ended })
})

test('interrupts a running deployment that is missing from the record', async () => {
  const [status, own, count] = await ended(null, 'running')
  expect([status, own, count]).toEqual(['interrupted', 'interrupted', 1])
})

test('interrupts each of two deployments that were running one after the other', async () => {
  const ports = memoryPorts()
  const last = { deploymentId: 'd2', status: 'running' as const }
  await ports.stacks.create({ ...stack('shop'), last, fence: 2 })
  for (const [id, fence] of [['d1', 1] as const, ['d2', 2] as const]) {
    await ports.deployments.create({ ...deployment(id, 'shop'), status: 'running', fence })
  }
  await endRestoredWork(from, ports)
  expect(await ports.deployments.listRunning()).toEqual([])
  expect((await ports.stacks.find('shop'))?.last).toMatchObject({
    deploymentId: 'd2',
    status: 'interrupted',
  })
})

test('marks the run of the backup as succeeded and others as interrupted, and keeps their files', async () => {
  const ports = memoryPorts()
  await ports.backupJobs.create({ ...backupJob('j1', 'nightly'), lastRun: lastRun('r1') })
  for (const id of ['r1', 'r2']) {
    await ports.backupRuns.create({ ...backupRun(id, 'j1'), status: 'running', leftovers: true })
  }
  await endRestoredWork(from, ports)
  expect(await ports.backupRuns.find('r1')).toMatchObject({
    status: 'succeeded',
    size: 700,
    leftovers: false,
    finishedAt: Date.parse('2026-11-21T00:01:00Z'),
  })
  expect(await ports.backupRuns.find('r2')).toMatchObject({
    status: 'interrupted',
    leftovers: false,
  })
  expect((await ports.backupJobs.find('j1'))?.lastRun?.status).toBe('succeeded')
})

const lastRun = (id: string) => ({
  id,
  status: 'running' as const,
  startedAt: 0,
  finishedAt: null,
  error: null,
})

test('an update that was watched or taken back ends', async () => {
  const ports = memoryPorts()
  const openUpdate = { deploymentId: 'd1', services: ['web'] }
  await ports.stacks.create({ ...stack('watched'), openUpdate })
  const rollback = { state: 'due' as const, attempts: 0, nextAt: 0, error: null }
  const update = {
    deploymentId: 'd1',
    outcome: 'bad' as const,
    reason: 'it ended',
    at: 1,
    rollback,
  }
  await ports.stacks.create({ ...stack('bad'), openUpdate, update })
  await endRestoredWork(from, ports)
  const [bad, watched] = (await ports.stacks.list()).sort((a, b) => (a.id < b.id ? -1 : 1))
  expect([bad?.openUpdate, bad?.update?.rollback?.state]).toEqual([undefined, 'replaced'])
  expect([watched?.openUpdate, watched?.update?.outcome]).toEqual([undefined, 'unknown'])
})
