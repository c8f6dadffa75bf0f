import { expect, test } from 'vitest'
import { backupJob, backupRun } from './samples.ts'
import { count, type NewWorld } from './world.ts'

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

/** Tests the port `BackupJobs`: a collection with unique names. */
export function backupJobsContract(newWorld: NewWorld) {
  test('a job is found as it was written, its secrets too', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.backupJobs.create(backupJob('j1', 'nightly'))).toBe(true)
    const found = await peer.backupJobs.find('j1')
    expect(found).toEqual({ ...backupJob('j1', 'nightly'), revision: expect.any(Number) })
    expect(await peer.backupJobs.remove('j1')).toBe(true)
    expect(await stores.backupJobs.list()).toEqual([])
  })

  test('of many with one name, one is created', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? stores : peer).backupJobs.create(
          backupJob(`j${index}`, index % 3 ? 'nightly' : 'Nightly'),
        ),
      ),
    )
    expect(count(answers, true)).toBe(1)
    expect(await stores.backupJobs.list()).toHaveLength(1)
  })

  test('a job takes a free name and leaves its own to others', async () => {
    const { stores, peer } = await newWorld()
    await stores.backupJobs.create(backupJob('j1', 'one'))
    await stores.backupJobs.create(backupJob('j2', 'two'))
    const read = (await stores.backupJobs.find('j1'))!
    expect(await peer.backupJobs.replace({ ...read, name: 'TWO' })).toBeUndefined()
    expect(await peer.backupJobs.replace({ ...read, name: 'three' })).toBeDefined()
    expect(await stores.backupJobs.create(backupJob('j3', 'one'))).toBe(true)
    expect(await stores.backupJobs.create(backupJob('j4', 'three'))).toBe(false)
  })
}

/** Tests the port `BackupRuns`. */
export function backupRunsContract(newWorld: NewWorld) {
  test('a run is found by its id, under its job and among all, newest first', async () => {
    const { stores, peer } = await newWorld()
    for (const id of ['r1', 'r3', 'r2']) await stores.backupRuns.create(backupRun(id, 'j1'))
    await stores.backupRuns.create({ ...backupRun('r4', 'j2'), hostId: 'far' })
    expect(await peer.backupRuns.find('r2')).toEqual(backupRun('r2', 'j1'))
    expect(await peer.backupRuns.find('none')).toBeUndefined()
    const list = (query: { jobId?: string; hosts?: string[]; limit: number }) =>
      peer.backupRuns.list(query).then(ids)
    expect(await list({ jobId: 'j1', limit: 10 })).toEqual(['r3', 'r2', 'r1'])
    expect(await list({ jobId: 'j1', limit: 2 })).toEqual(['r3', 'r2'])
    expect(await list({ limit: 10 })).toEqual(['r4', 'r3', 'r2', 'r1'])
    expect(await list({ limit: 3 })).toEqual(['r4', 'r3', 'r2'])
    expect(await list({ hosts: ['far'], limit: 10 })).toEqual(['r4'])
    expect(await list({ jobId: 'j1', hosts: ['far'], limit: 10 })).toEqual([])
    expect(await list({ hosts: [], limit: 10 })).toEqual([])
  })

  test('more runs than a page of any store are listed in order', async () => {
    const { stores } = await newWorld()
    const all = Array.from({ length: 55 }, (_, index) => `r${String(index).padStart(3, '0')}`)
    for (const id of all) await stores.backupRuns.create(backupRun(id, 'j1'))
    const wanted = [...all].reverse()
    expect(ids(await stores.backupRuns.list({ limit: 1000 }))).toEqual(wanted)
    expect(ids(await stores.backupRuns.list({ limit: 52 }))).toEqual(wanted.slice(0, 52))
  })

  test('those that run are listed until they end and nothing stays stopped', async () => {
    const { stores, peer } = await newWorld()
    await stores.backupRuns.create(backupRun('r1', 'j1'))
    await stores.backupRuns.create(backupRun('r2', 'j2'))
    await stores.backupRuns.create({ ...backupRun('r3', 'j2'), status: 'succeeded' })
    expect(ids(await peer.backupRuns.listUnfinished()).sort()).toEqual(['r1', 'r2'])
    const stopped = [{ id: 'c1', name: 'web-1' }]
    const failed = { ...backupRun('r1', 'j1'), status: 'failed' as const, error: 'full' }
    await stores.backupRuns.save({ ...failed, stopped })
    expect(ids(await peer.backupRuns.listUnfinished()).sort()).toEqual(['r1', 'r2'])
    await stores.backupRuns.save(failed)
    expect(ids(await peer.backupRuns.listUnfinished())).toEqual(['r2'])
    expect(await peer.backupRuns.find('r1')).toMatchObject({ status: 'failed', error: 'full' })
  })

  test('who lost his lease overwrites nothing', async () => {
    const { stores, peer } = await newWorld()
    await stores.backupRuns.create({ ...backupRun('r1', 'j1'), fence: 3 })
    const interrupted = { ...backupRun('r1', 'j1'), fence: 4, status: 'interrupted' as const }
    expect(await peer.backupRuns.save(interrupted)).toBe(true)
    expect(await stores.backupRuns.save({ ...backupRun('r1', 'j1'), fence: 3 })).toBe(false)
    expect(await stores.backupRuns.find('r1')).toEqual(interrupted)
  })

  test('a removed run is gone, and a late save does not bring it back', async () => {
    const { stores, peer } = await newWorld()
    await stores.backupRuns.create(backupRun('r1', 'j1'))
    await peer.backupRuns.remove('r1')
    await peer.backupRuns.remove('r1')
    expect(await stores.backupRuns.save(backupRun('r1', 'j1'))).toBe(false)
    expect(await stores.backupRuns.find('r1')).toBeUndefined()
    expect(await stores.backupRuns.list({ limit: 10 })).toEqual([])
    expect(await stores.backupRuns.listUnfinished()).toEqual([])
  })
}
