import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { type BackupWorld, backupWorld, givenJob, runJob } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { internalError, unusable } from '../core/errors.ts'
import { readingLease } from '../core/records/backup-run.ts'
import remove from './remove.ts'
import restore from './restore.ts'
import verify from './verify.ts'

const ask = (
  { ports }: BackupWorld,
  id: string,
  { query = {}, as = 'admin' }: { query?: Record<string, string>; as?: TestCaller } = {},
) => call(remove, { ports, as, path: { id }, query })

/** Returns the names of the objects below the directory of a run. */
async function objectsOf({ ports }: BackupWorld, id: string) {
  const { target, directory } = present(await ports.backupRuns.find(id))
  const open = await ports.backupTargets.open(target)
  return (await open.list(directory)).map(({ name }) => name)
}

const two = async () => {
  const here = await backupWorld()
  const job = await givenJob(here)
  const first = await runJob(here, job)
  const second = await runJob(here, job)
  return { here, first, second }
}

test('204: removes the objects and the record of one backup, and no other', async () => {
  const { here, first, second } = await two()
  const { target, directory } = present(await here.ports.backupRuns.find(first.id))
  expect((await ask(here, first.id)).status).toBe(204)
  const open = await here.ports.backupTargets.open(target)
  expect(await open.list(directory)).toEqual([])
  expect(await here.ports.backupRuns.find(first.id)).toBeUndefined()
  const path = { id: second.id }
  expect((await call(verify, { ports: here.ports, as: 'admin', path })).json.ok).toBe(true)
  expect((await ask(here, first.id)).status).toBe(404)
})

test('204: also the backup of a deleted job', async () => {
  const { here, first } = await two()
  await here.ports.backupJobs.remove(first.jobId)
  expect((await ask(here, first.id)).status).toBe(204)
})

test('500: the target does not respond; the record stays, and force forgets it alone', async () => {
  const { here, first } = await two()
  const { backupTargets } = here.ports
  const { open } = backupTargets
  const { target, directory } = present(await here.ports.backupRuns.find(first.id))
  backupTargets.open = async () => {
    throw internalError('the target does not respond')
  }
  const { status, json } = await ask(here, first.id)
  expect([status, json.error]).toEqual([500, 'the target does not respond'])
  expect(await here.ports.backupRuns.find(first.id)).toBeDefined()
  expect((await ask(here, first.id, { query: { force: 'true' } })).status).toBe(204)
  backupTargets.open = open
  expect(await here.ports.backupRuns.find(first.id)).toBeUndefined()
  expect(await (await open(target)).list(directory)).not.toEqual([])
})

test('422: the target is not allowed any more; the record stays', async () => {
  const { here, first } = await two()
  here.ports.backupTargets.open = async () => {
    throw unusable('target.endpoint: the address is not allowed')
  }
  expect((await ask(here, first.id)).status).toBe(422)
  expect(await here.ports.backupRuns.find(first.id)).toBeDefined()
})

test('204: a removal that was killed before it removed the record is repeated', async () => {
  const { here, first } = await two()
  const { backupRuns } = here.ports
  const real = backupRuns.remove
  backupRuns.remove = async () => {
    throw internalError('killed')
  }
  expect((await ask(here, first.id)).status).toBe(500)
  backupRuns.remove = real
  expect(await objectsOf(here, first.id)).toEqual([])
  expect((await ask(here, first.id)).status).toBe(204)
  expect(await backupRuns.find(first.id)).toBeUndefined()
})

/** Makes targets fail at the removal after the next one, as if the process was killed there. */
function killedAfterManifest({ ports }: BackupWorld) {
  const { open } = ports.backupTargets
  ports.backupTargets.open = async (...given) => {
    const target = await open(...given)
    let removals = 0
    const removing: typeof target.remove = async (...names) => {
      removals += 1
      if (removals > 1) throw internalError('killed')
      await target.remove(...names)
    }
    return { ...target, remove: removing }
  }
  return () => {
    ports.backupTargets.open = open
  }
}

test('500: a backup without its manifest is no backup any more, and is removed later', async () => {
  const { here, first, second } = await two()
  const revive = killedAfterManifest(here)
  expect((await ask(here, first.id)).status).toBe(500)
  revive()
  expect(await objectsOf(here, first.id)).not.toEqual([])
  const { ports } = here
  expect(await ports.backupRuns.find(first.id)).toMatchObject({ sha256: null, leftovers: true })
  const asked = { ports, as: 'admin' as const, path: { id: first.id } }
  const { status, json } = await call(restore, { ...asked, body: { overwrite: true } })
  expect([status, json.error]).toEqual([
    409,
    `run ${first.id}: its backup was removed in part: delete it again`,
  ])
  const { target, directory } = present(await ports.backupRuns.find(first.id))
  await runJob(here, first.jobId)
  expect(await ports.backupRuns.find(first.id)).toBeUndefined()
  expect(await (await ports.backupTargets.open(target)).list(directory)).toEqual([])
  expect(present(await ports.backupRuns.find(second.id)).sha256).not.toBeNull()
})

test('keep_last counts only whole backups after a removal was cut short', async () => {
  const here = await backupWorld()
  const job = await givenJob(here, { retention: { keep_last: 2 } })
  const [first, second] = [await runJob(here, job), await runJob(here, job)]
  const revive = killedAfterManifest(here)
  const third = await runJob(here, job)
  expect(third.warnings).toEqual([expect.stringContaining(first.id)])
  revive()
  const { backupRuns } = here.ports
  expect(await backupRuns.find(first.id)).toMatchObject({ sha256: null, leftovers: true })
  const fourth = await runJob(here, job)
  const kept = await backupRuns.list({ jobId: job, limit: 9 })
  expect(kept.map(({ id }) => id)).toEqual([fourth.id, third.id])
  expect(kept.map(({ id }) => id)).not.toContain(second.id)
})

test('409: while the run is in progress, has work left, or its backup is read', async () => {
  const { here, first } = await two()
  const { backupRuns, leases } = here.ports
  const run = present(await backupRuns.find(first.id))
  for (const unfinished of [{ status: 'running' as const }, { leftOnHost: true }]) {
    await backupRuns.save({ ...run, ...unfinished })
    for (const force of ['true', 'false']) {
      const { status, headers } = await ask(here, run.id, { query: { force } })
      expect([status, headers['x-error-reason']]).toEqual([409, 'lease-held'])
    }
  }
  await backupRuns.save(run)
  const lease = present(await leases.acquire(readingLease(run.id), 'process-0/reader', 10_000))
  expect((await ask(here, run.id)).status).toBe(409)
  expect(await objectsOf(here, run.id)).not.toEqual([])
  await leases.release(lease)
  expect((await ask(here, run.id)).status).toBe(204)
})

test('204: of a restore only the record is removed; the backup stays', async () => {
  const { here, first } = await two()
  const { ports } = here
  const body = { overwrite: true }
  const started = await call(restore, { ports, as: 'admin', path: { id: first.id }, body })
  await ports.background.settled()
  expect((await ask(here, started.json.id)).status).toBe(204)
  expect(await ports.backupRuns.find(started.json.id)).toBeUndefined()
  expect(await objectsOf(here, first.id)).not.toEqual([])
})

test('403: needs the permissions to create a job that makes the backup', async () => {
  const { here, first } = await two()
  const reads = ['backups:manage', 'backups:read', 'stacks:read', 'volumes:read'] as const
  const as = await givenRole(here, [...reads])
  const { status, json } = await ask(here, first.id, { as })
  expect([status, json.error]).toEqual([403, expect.stringContaining('stacks:secrets')])
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await ask(here, first.id, { as: limited })).status).toBe(403)
  expect(await objectsOf(here, first.id)).not.toEqual([])
})
