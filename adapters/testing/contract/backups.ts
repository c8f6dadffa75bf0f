import { expect, test } from 'vitest'
import type { RunQuery } from '../../../functions/core/ports/backup-runs.ts'
import { present } from '../present.ts'
import { backupJob, backupRun, idMadeAt } from './samples.ts'
import { count, type NewWorld } from './world.ts'

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

/** Tests the port `BackupJobs`: a collection with unique names. */
export function backupJobsContract(newWorld: NewWorld) {
  test('returns a job unchanged, including its secrets', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.backupJobs.create(backupJob('j1', 'nightly'))).toBe(true)
    const found = await peer.backupJobs.find('j1')
    expect(found).toEqual({ ...backupJob('j1', 'nightly'), revision: expect.any(Number) })
    expect(await peer.backupJobs.remove('j1', present(found).revision + 1)).toBe(false)
    expect(await peer.backupJobs.remove('j1', present(found).revision)).toBe(true)
    expect(await stores.backupJobs.list()).toEqual([])
  })

  test('concurrent creations of one name: one succeeds', async () => {
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

  test('a job can be renamed to a free name, which frees the old one', async () => {
    const { stores, peer } = await newWorld()
    await stores.backupJobs.create(backupJob('j1', 'one'))
    await stores.backupJobs.create(backupJob('j2', 'two'))
    const read = present(await stores.backupJobs.find('j1'))
    expect(await peer.backupJobs.replace({ ...read, name: 'TWO' })).toBeUndefined()
    expect(await peer.backupJobs.replace({ ...read, name: 'three' })).toBeDefined()
    expect(await stores.backupJobs.create(backupJob('j3', 'one'))).toBe(true)
    expect(await stores.backupJobs.create(backupJob('j4', 'three'))).toBe(false)
  })
}

/** Tests the port `BackupRuns`. */
export function backupRunsContract(newWorld: NewWorld) {
  test('finds a run by ID, by job and among all, newest first', async () => {
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

  test('lists the runs of a time range, by job and among all', async () => {
    const { stores, peer } = await newWorld()
    for (const at of [1000, 2000, 3000, 4000])
      await stores.backupRuns.create(backupRun(idMadeAt(at), at === 3000 ? 'j2' : 'j1'))
    const list = (query: RunQuery) => peer.backupRuns.list(query).then(ids)
    const range = { since: 2000, until: 4000 }
    expect(await list({ limit: 9, ...range })).toEqual([3000, 2000].map(idMadeAt))
    expect(await list({ limit: 1, until: 4000 })).toEqual([idMadeAt(3000)])
    expect(await list({ jobId: 'j1', limit: 9, ...range })).toEqual([idMadeAt(2000)])
    expect(await list({ limit: 9, since: 4001 })).toEqual([])
    const before = idMadeAt(3000)
    expect(await list({ limit: 9, before })).toEqual([2000, 1000].map(idMadeAt))
    expect(await list({ limit: 1, before: idMadeAt(3500) })).toEqual([before])
    expect(await list({ jobId: 'j1', limit: 1, before })).toEqual([idMadeAt(2000)])
  })

  test('lists only runs that pass, up to the limit, by job and among all', async () => {
    const { stores, peer } = await newWorld()
    for (const index of Array(110).keys()) {
      await stores.backupRuns.create(backupRun(`r${String(index).padStart(3, '0')}`, 'j1'))
    }
    const where = ({ id }: { id: string }) => id < 'r040'
    for (const job of [{}, { jobId: 'j1' }]) {
      const list = (limit: number) => peer.backupRuns.list({ ...job, where, limit })
      expect(ids(await list(3))).toEqual(['r039', 'r038', 'r037'])
      expect(await list(100)).toHaveLength(40)
    }
  })

  test('lists runs in order beyond one page of the store', async () => {
    const { stores } = await newWorld()
    const all = Array.from({ length: 55 }, (_, index) => `r${String(index).padStart(3, '0')}`)
    for (const id of all) await stores.backupRuns.create(backupRun(id, 'j1'))
    const wanted = [...all].reverse()
    expect(ids(await stores.backupRuns.list({ limit: 1000 }))).toEqual(wanted)
    expect(ids(await stores.backupRuns.list({ limit: 52 }))).toEqual(wanted.slice(0, 52))
  })

  test('lists a run as unfinished until it ended and its containers are restarted', async () => {
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

  test('a process that lost its lease overwrites nothing', async () => {
    const { stores, peer } = await newWorld()
    await stores.backupRuns.create({ ...backupRun('r1', 'j1'), fence: 3 })
    const interrupted = { ...backupRun('r1', 'j1'), fence: 4, status: 'interrupted' as const }
    expect(await peer.backupRuns.save(interrupted)).toBe(true)
    expect(await stores.backupRuns.save({ ...backupRun('r1', 'j1'), fence: 3 })).toBe(false)
    expect(await stores.backupRuns.find('r1')).toEqual(interrupted)
  })

  test('a late save does not restore a removed run', async () => {
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
