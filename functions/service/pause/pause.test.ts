import { expect, test } from 'vitest'
import { backupRun, deployment } from '../../../adapters/testing/contract/samples.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import createJob from '../../backup-jobs/create.ts'
import runJob from '../../backup-jobs/run.ts'
import startDue from '../../backup-jobs/start-due-backups.ts'
import restore from '../../backup-runs/restore.ts'
import { pauseLease } from '../../core/leases/pause.ts'
import cancel from '../../operations/cancel.ts'
import getOperation from '../../operations/get.ts'
import deploy from '../../stacks/deploy.ts'
import get from '../upgrade/get.ts'
import create from './create.ts'

type World = ReturnType<typeof world>

const pause = ({ ports }: World, minutes = 5) =>
  call(create, { ports, as: 'admin', body: { minutes } })
const state = async ({ ports }: World) => (await call(get, { ports, as: 'admin' })).json
const deployed = ({ ports }: World) =>
  call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body: { force_recreate: true } })

/** Waits until the end of the pause is recorded. */
async function ended({ ports }: World, id: string) {
  const query = { wait_seconds: '10' }
  return (await call(getOperation, { ports, as: 'admin', path: { id }, query })).json
}

/** A stack, a backup of a volume, and a job of the schedule that is due in an hour. */
async function withBackup() {
  const here = world()
  const { ports } = here
  await givenStack(here)
  const body = {
    name: 'nightly',
    sources: [{ kind: 'volume', name: 'shop_data' }],
    target: { kind: 'local', path: '' },
    schedule: '0 * * * *',
  }
  const made = await call(createJob, { ports, as: 'admin', body })
  const path = { id: made.json.id }
  const run = await call(runJob, { ports, as: 'admin', path, query: { wait: 'true' } })
  expect([run.status, run.json.status]).toEqual([200, 'succeeded'])
  return { ...here, job: path, run: { id: run.json.id } }
}

test('202: lets no deployment, backup or restore begin until it is cancelled', async () => {
  const here = await withBackup()
  const { ports, job, run } = here
  const { status, json } = await pause(here)
  expect([status, json.kind, json.status]).toEqual([202, 'service_pause', 'running'])
  expect(await state(here)).toMatchObject({ pause: { operation_id: json.id, by: 'admin' } })
  const restoring = { sources: [{ kind: 'volume', name: 'shop_data' }], overwrite: true }
  const answers = [
    await deployed(here),
    await call(runJob, { ports, as: 'admin', path: job }),
    await call(restore, { ports, as: 'admin', path: run, body: restoring }),
  ]
  for (const one of answers) {
    expect([one.status, one.headers['x-error-reason']]).toEqual([409, 'lease-held'])
    expect([one.json.error, one.headers['retry-after']]).toEqual([
      expect.stringContaining('paused for an upgrade'),
      '5',
    ])
  }
  ports.clock.advance(3_600_000 / 60)
  await call(cancel, { ports, as: 'admin', path: { id: json.id } })
  expect(await ended(here, json.id)).toMatchObject({ status: 'interrupted' })
  expect(await state(here)).toMatchObject({ pause: null })
  expect((await deployed(here)).json.status).toBe('succeeded')
  expect((await call(runJob, { ports, as: 'admin', path: job })).status).toBe(202)
})

test('what is due stays due, and runs after the pause', async () => {
  const here = await withBackup()
  const { ports, job } = here
  const lease = present(await ports.leases.acquire(pauseLease, 'other', 7_200_000))
  ports.clock.advance(3_600_000)
  const before = present(await ports.backupJobs.find(job.id))
  await startDue.with(ports)()
  expect(await ports.backupJobs.find(job.id)).toEqual(before)
  await ports.leases.release(lease)
  await startDue.with(ports)()
  expect((await ports.backupJobs.find(job.id))?.nextRunAt).toBeGreaterThan(before.nextRunAt ?? 0)
})

test('202: ends after its minutes', async () => {
  const here = world()
  const { json } = await pause(here, 2)
  here.ports.clock.advance(120_000)
  expect(await ended(here, json.id)).toMatchObject({
    status: 'succeeded',
    result: { minutes: 2 },
  })
  expect((await here.ports.leases.peek(pauseLease)).held).toBe(false)
})

test('the pause of a process that died ends within seconds', async () => {
  const here = world()
  await givenStack(here)
  await here.ports.leases.acquire(pauseLease, 'dead/pause', 10_000)
  expect((await deployed(here)).status).toBe(409)
  here.ports.clock.advance(10_001)
  expect((await deployed(here)).json.status).toBe('succeeded')
})

test('409: the service is paused already', async () => {
  const here = world()
  await pause(here)
  const { status, json } = await pause(here)
  expect([status, json.error]).toEqual([409, 'the service is paused already'])
})

test('400: minutes out of range', async () => {
  for (const minutes of [0, 61, 1.5]) expect((await pause(world(), minutes)).status).toBe(400)
})

test('403: refuses an admin of some hosts', async () => {
  const as = { username: 'ada', role: 'admin', scopeTags: ['lab'] }
  const { status } = await call(create, { ports: world().ports, as, body: { minutes: 1 } })
  expect(status).toBe(403)
})

test('200: lists what an upgrade would interrupt', async () => {
  const here = world()
  const { ports } = here
  await ports.deployments.create(deployment('d1', 'shop'))
  await ports.backupRuns.create(backupRun('r1', 'j1'))
  expect((await state(here)).running).toEqual([
    { kind: 'deployment', id: 'd1', name: 'shop', host_id: 'local' },
    { kind: 'backup', id: 'r1', name: 'nightly', host_id: 'local' },
  ])
})

test('200: lists what holds its lease and has no record yet', async () => {
  const here = await withBackup()
  const { ports, job } = here
  const lease = (name: string, holder: string) => ports.leases.acquire(name, holder, 10_000)
  await lease('stack:shop', 'one/d1')
  await lease(`backup:${job.id}`, 'one/r1')
  await lease('restores:local', 'one/s1')
  expect((await state(here)).running).toEqual([
    { kind: 'deployment', id: 'd1', name: 'shop', host_id: 'local' },
    { kind: 'backup', id: 'r1', name: 'nightly', host_id: 'local' },
    { kind: 'restore', id: 's1', name: 'Cellar', host_id: 'local' },
  ])
})

test('200: lists no change of a record, nor what has ended or only tidies up', async () => {
  const here = await withBackup()
  const { ports, job, run } = here
  await ports.leases.acquire('stack:shop', 'one/lock l1', 10_000)
  await ports.leases.acquire(`backup:${job.id}`, `one/${run.id}`, 10_000)
  await ports.backupRuns.create({ ...backupRun('r1', 'j1'), status: 'failed', leftOnHost: true })
  expect((await state(here)).running).toEqual([])
})
