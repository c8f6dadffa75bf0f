import { expect, test } from 'vitest'
import { backupRun } from '../../adapters/testing/contract/samples.ts'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { present } from '../../adapters/testing/present.ts'
import { type BackupWorld, backupWorld, givenJob } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { internalError } from '../core/errors.ts'
import type { BackupRun } from '../core/records/backup-run.ts'
import recover from './recover-backups.ts'
import runJob from './run.ts'
import startDueBackups from './start-due-backups.ts'

const hour = 3_600_000
const hourly = { schedule: '0 * * * *' }

async function tick({ ports }: BackupWorld) {
  await startDueBackups.with(ports)()
  await ports.background.settled()
}

const runsOf = ({ ports }: BackupWorld) => ports.backupRuns.list({ limit: 100 })

/** Returns the same service as run by another process. */
const peerOf = (here: BackupWorld): BackupWorld => ({
  ...here,
  ports: { ...here.ports, background: memoryBackground('process-2') },
})

test('runs a job at each scheduled time', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, hourly)
  await tick(here)
  expect(await runsOf(here)).toEqual([])
  here.ports.clock.advance(hour)
  await tick(here)
  await tick(here)
  const [first, ...more] = await runsOf(here)
  expect(first).toMatchObject({ jobId: id, by: 'schedule', status: 'succeeded' })
  expect(present(first).directory.endsWith(`/${present(first).id}`)).toBe(true)
  expect(more).toEqual([])
  expect((await here.ports.backupJobs.find(id))?.nextRunAt).toBe(here.ports.clock.now() + hour)
  here.ports.clock.advance(hour)
  await tick(here)
  expect(await runsOf(here)).toHaveLength(2)
})

test('a scheduled run waits while the Engine is busy', async () => {
  const here = await backupWorld()
  const { ports, engine } = here
  await givenJob(here, hourly)
  ports.clock.advance(hour)
  const { observe } = engine
  engine.observe = async () => {
    throw internalError('the Docker Engine did not respond within 5 s', { reason: 'engine-busy' })
  }
  await startDueBackups.with(ports)()
  const waits = () => ports.log.lines.filter(({ message }) => message.includes('waits')).length
  await expect.poll(waits).toBe(1)
  engine.observe = observe
  await expect
    .poll(async () => {
      ports.clock.advance(1000)
      return (await runsOf(here)).map(({ status, error }) => [status, error])
    })
    .toEqual([['succeeded', null]])
  expect(waits()).toBe(1)
  await ports.background.settled()
})

test('makes up for missed times with one run', async () => {
  const here = await backupWorld()
  await givenJob(here, hourly)
  here.ports.clock.advance(50 * hour)
  for (let count = 0; count < 3; count += 1) await tick(here)
  expect(await runsOf(here)).toHaveLength(1)
})

test('a schedule continues after a clock that was a year ahead is corrected', async () => {
  const here = await backupWorld()
  const { clock, backupJobs } = here.ports
  const start = clock.now()
  const id = await givenJob(here, hourly)
  clock.set(start + 365 * 24 * hour)
  await tick(here)
  clock.set(start + hour)
  for (let count = 0; count < 3; count += 1) await tick(here)
  expect(await runsOf(here)).toHaveLength(2)
  expect(await backupJobs.find(id)).toMatchObject({
    nextRunAt: start + 2 * hour,
    lastRun: { startedAt: start + hour },
  })
  clock.set(start + 2 * hour)
  await tick(here)
  expect(await runsOf(here)).toHaveLength(3)
})

test('one of two processes starts the run', async () => {
  const here = await backupWorld()
  const peer = peerOf(here)
  await givenJob(here, hourly)
  here.ports.clock.advance(hour)
  await Promise.all([tick(here), tick(peer), tick(here), tick(peer)])
  expect(await runsOf(here)).toHaveLength(1)
})

test('a job that is disabled or has no schedule does not run by itself', async () => {
  const here = await backupWorld()
  await givenJob(here, { ...hourly, enabled: false })
  await givenJob(here, { name: 'by-hand' })
  here.ports.clock.advance(24 * hour)
  await tick(here)
  expect(await runsOf(here)).toEqual([])
})

test('skips a scheduled time while the last run is in progress', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, hourly)
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  const { readArchive } = here.engine
  here.engine.readArchive = async function* (...given) {
    await held
    yield* readArchive(...given)
  }
  here.ports.clock.advance(hour)
  await startDueBackups.with(here.ports)()
  const { leases } = here.ports
  const holder = present((await leases.peek(`backup:${id}`)).holder)
  here.ports.clock.advance(hour)
  await leases.acquire(`backup:${id}`, holder, 10_000)
  await startDueBackups.with(here.ports)()
  expect((await here.ports.backupJobs.find(id))?.nextRunAt).toBe(here.ports.clock.now() + hour)
  go()
  await here.ports.background.settled()
  await tick(here)
  expect(await runsOf(here)).toHaveLength(1)
})

test('starts a limited number of runs at a time and the rest afterwards', async () => {
  const here = await backupWorld()
  for (let count = 0; count < 6; count += 1)
    await givenJob(here, { ...hourly, name: `job-${count}` })
  here.ports.clock.advance(hour)
  await startDueBackups.with(here.ports)()
  const running = (await runsOf(here)).filter(({ status }) => status === 'running')
  expect(running.length).toBeLessThanOrEqual(4)
  await here.ports.background.settled()
  await tick(here)
  expect(await runsOf(here)).toHaveLength(6)
})

/** Records a run that stored objects and stopped a service before its process died. */
async function givenDead(here: BackupWorld, more: Partial<BackupRun> = {}) {
  const { ports, engine } = here
  const jobId = await givenJob(here)
  const [db] = [...engine.state.containers.values()].filter(({ name }) => name === 'shop-db-1')
  await engine.act(present(db).id, { kind: 'stop' })
  const id = ports.random.id()
  const lease = present(await ports.leases.acquire(`backup:${jobId}`, 'process-0/dead', 10_000))
  const stopped = [{ id: present(db).id, name: present(db).name }]
  const run = { ...backupRun(id, jobId), stopped, fence: lease.fence, ...more }
  await ports.backupRuns.create(run)
  ports.backupTargets.objects.set(`${run.directory}/volume-shop_data.tar.zst`, Buffer.from('part'))
  return run
}

const stateOf = ({ engine }: BackupWorld, name: string) =>
  [...engine.state.containers.values()].find((one) => one.name === name)?.state

test('leaves a run alone while its process is alive', async () => {
  const here = await backupWorld()
  const { id } = await givenDead(here)
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({ status: 'running' })
  expect(stateOf(here, 'shop-db-1')).toBe('exited')
})

test('marks the run of a dead process as interrupted, starts its services and cleans the target', async () => {
  const here = await backupWorld()
  const { id, jobId } = await givenDead(here)
  here.ports.clock.advance(10_000)
  await Promise.all([recover.with(here.ports)(), recover.with(peerOf(here).ports)()])
  expect(await here.ports.backupRuns.find(id)).toMatchObject({
    status: 'interrupted',
    error: 'the service ended while this was running',
    stopped: [],
    leftovers: false,
  })
  expect(stateOf(here, 'shop-db-1')).toBe('running')
  expect([...here.ports.backupTargets.objects]).toEqual([])
  expect((await here.ports.backupJobs.find(jobId))?.lastRun).toMatchObject({
    id,
    status: 'interrupted',
  })
  const { rows } = await here.ports.audit.list({ action: 'backup-jobs.recover', limit: 10 })
  expect(rows).toMatchObject([{ actor: 'service', subject: { kind: 'backup-jobs', id: jobId } }])
})

test('marks the run of a process that died just before as interrupted within 30 s', async () => {
  const here = await backupWorld()
  const { id } = await givenDead(here)
  const reap = recover.with(here.ports)
  const isRunning = async () => (await here.ports.backupRuns.find(id))?.status === 'running'
  let seconds = 0
  for (await reap(); await isRunning(); await reap()) {
    seconds += recover.everySeconds
    here.ports.clock.advance(recover.everySeconds * 1000)
  }
  expect(seconds).toBeLessThanOrEqual(30)
})

test('a job can run again while the files of its dead run are being removed', async () => {
  const here = await backupWorld()
  const { id, jobId } = await givenDead(here)
  here.ports.clock.advance(10_000)
  const { append } = here.ports.audit
  const again = () => call(runJob, { ports: here.ports, as: 'admin', path: { id: jobId } })
  let answer: ReturnType<typeof again> | undefined
  here.ports.audit.append = async (row) => {
    if (row.action !== 'backup-jobs.recover') return append(row)
    expect(await here.ports.backupRuns.find(id)).toMatchObject({ status: 'interrupted' })
    answer = again()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await recover.with(here.ports)()
  expect((await answer)?.status).toBe(202)
  await here.ports.background.settled()
})

test('recovery renews its lease, so another process can soon take over', async () => {
  const here = await backupWorld()
  const { jobId } = await givenDead(here)
  here.ports.clock.advance(10_000)
  const { leases } = here.ports
  const lengths: number[] = []
  const { acquire } = leases
  leases.acquire = (name, holder, length) => {
    if (name === `backup:${jobId}`) lengths.push(length)
    return acquire(name, holder, length)
  }
  await recover.with(here.ports)()
  expect(lengths).toEqual([10_000])
})

test('the job shows how its last run ended, even if the process died before recording it', async () => {
  const here = await backupWorld()
  const jobId = await givenJob(here)
  const run = { ...backupRun(here.ports.random.id(), jobId), status: 'succeeded' as const }
  await here.ports.backupRuns.create({ ...run, status: 'running' })
  const job = present(await here.ports.backupJobs.find(jobId))
  const { id, startedAt } = run
  const lastRun = { id, status: 'running' as const, startedAt, finishedAt: null, error: null }
  await here.ports.backupJobs.replace({ ...job, lastRun })
  await here.ports.backupRuns.save({ ...run, finishedAt: here.ports.clock.now() })
  here.ports.clock.advance(10_000)
  await recover.with(here.ports)()
  const { lastRun: noted } = present(await here.ports.backupJobs.find(jobId))
  expect(noted).toMatchObject({ id, status: 'succeeded', finishedAt: expect.any(Number) })
})

test('ignores late writes of the dead process', async () => {
  const here = await backupWorld()
  const run = await givenDead(here)
  here.ports.clock.advance(10_000)
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.save({ ...run, status: 'succeeded' })).toBe(false)
})

test('starts services of an offline host when it is back', async () => {
  const here = await backupWorld()
  const { id } = await givenDead(here)
  here.ports.clock.advance(10_000)
  here.engine.offline = internalError('host local does not respond')
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({
    status: 'interrupted',
    stopped: [{ name: 'shop-db-1' }],
    error: 'the service ended while this was running; not restarted yet: shop-db-1',
  })
  here.engine.offline = undefined
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({ status: 'interrupted', stopped: [] })
  expect(stateOf(here, 'shop-db-1')).toBe('running')
})

test('removes the helpers of a dead run when its host is back, and warns once an hour', async () => {
  const here = await backupWorld()
  const { ports, engine } = here
  const { id } = await givenDead(here, { stopped: [] })
  const { removeArchiveHelpers } = engine
  const removed: string[] = []
  engine.removeArchiveHelpers = async (owner) => {
    await removeArchiveHelpers(owner)
    removed.push(owner)
  }
  const told = 'a host could not be cleaned up after a backup'
  const warnings = () => ports.log.lines.filter(({ message }) => message === told).length
  ports.clock.advance(10_000)
  engine.offline = internalError('host local: its agent is offline')
  for (let times = 0; times < 3; times += 1) await recover.with(ports)()
  expect(warnings()).toBe(1)
  expect(await ports.backupRuns.find(id)).toMatchObject({ status: 'interrupted', leftOnHost: true })
  ports.clock.advance(hour)
  await recover.with(ports)()
  expect([warnings(), removed]).toEqual([2, []])
  engine.offline = undefined
  for (let times = 0; times < 3; times += 1) await recover.with(ports)()
  expect([warnings(), removed]).toEqual([2, [id]])
  expect(await ports.backupRuns.find(id)).toMatchObject({
    status: 'interrupted',
    leftOnHost: false,
  })
})

test('has nothing left to do on a host that was removed', async () => {
  const here = await backupWorld()
  const { id } = await givenDead(here, { hostId: 'gone' })
  here.ports.clock.advance(10_000)
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({
    status: 'interrupted',
    stopped: [],
    leftOnHost: false,
  })
})

test('a backup with a manifest is complete, even if its process died', async () => {
  const here = await backupWorld()
  const { id } = await givenDead(here, { sha256: 'a'.repeat(64), leftovers: false })
  here.ports.clock.advance(10_000)
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({ status: 'succeeded', error: null })
  expect(here.ports.backupTargets.objects.size).toBe(1)
})

test('leaves restores to their own recovery', async () => {
  const here = await backupWorld()
  const { id } = await givenDead(here, { kind: 'restore' })
  here.ports.clock.advance(10_000)
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({ status: 'running' })
})
