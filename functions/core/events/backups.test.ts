import { expect, test } from 'vitest'
import { backupRun } from '../../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { backupsSince, backupWatch } from './backups.ts'

test('reports when a backup begins and ends, among any number of others', async () => {
  const ports = memoryPorts()
  const { backupRuns, clock } = ports
  const old = { ...backupRun('0', 'j1'), startedAt: clock.now() - 1 }
  await backupRuns.create({ ...old, status: 'failed' })
  const watch = backupWatch(ports)
  const told = async () =>
    (await watch.poll()).map(({ id, kind, details }) => `${id} ${kind} ${details.status ?? ''}`)
  expect(await told()).toEqual([])
  clock.advance(1000)
  const run = { ...backupRun('1', 'j1'), startedAt: clock.now() }
  await backupRuns.create(run)
  expect(await told()).toEqual(['1-begun backup.begun '])
  expect(await told()).toEqual([])
  for (let index = 0; index < 8; index += 1) {
    await backupRuns.create({ ...run, id: `2${index}`, kind: 'restore', status: 'succeeded' })
  }
  await backupRuns.save({ ...run, status: 'failed', error: 'full', finishedAt: clock.now() })
  const news = await told()
  expect(news).toContain('1-ended backup.ended failed')
  expect(news).toContain('27-ended restore.ended succeeded')
  expect(await told()).toEqual([])
})

test('reports past backups that began or ended since a time', async () => {
  const { backupRuns } = memoryPorts()
  await backupRuns.create({ ...backupRun('1', 'j1'), startedAt: 1000 })
  const ended = { startedAt: 1000, finishedAt: 5000, status: 'succeeded' as const }
  await backupRuns.create({ ...backupRun('2', 'j1'), ...ended })
  const read = (at: number) => backupsSince(at, { backupRuns })
  const since = async (at: number) => (await read(at)).events.map(({ id }) => id)
  expect(await since(0)).toEqual(['2-begun', '2-ended', '1-begun'])
  expect(await since(2000)).toEqual(['2-ended'])
  expect((await read(0)).completeFrom).toBe(0)
  for (let index = 0; index < 98; index += 1)
    await backupRuns.create({ ...backupRun(`3${index}`, 'j1'), ...ended })
  expect((await read(0)).completeFrom).toBe(1000)
})
