import { expect, onTestFinished, test } from 'vitest'
import { memoryBackground } from '../../../adapters/testing/memory/background.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { feedWorld } from '../../../local/harness/feeds.ts'
import {
  changeOlga,
  givenJob,
  jobPath,
  jobWorld,
  olga,
  oneOffs,
  shownJob,
  storedJob,
  tick,
} from '../../../local/harness/jobs.ts'
import { givenHost, type World } from '../../../local/harness/world.ts'
import { internalError } from '../../core/errors.ts'
import { pauseLease } from '../../core/leases/pause.ts'
import type { LastDeployment } from '../../core/records/stack.ts'
import { runningMax } from '../../core/stack-jobs/limits.ts'
import { tryStackLease } from '../../core/stacks/stack-lease.ts'
import stopStack from '../stop.ts'
import runJob from './run.ts'
import runBySchedule from './run-by-schedule.ts'

const hour = 3_600_000
const sleeps = { command: ['sleep', '60'] }

/** Changes what the stack says of its last deployment. */
async function changeLast({ ports }: World, change: Partial<LastDeployment>) {
  const stack = present(await ports.stacks.find('shop'))
  await ports.stacks.replace({ ...stack, last: { ...present(stack.last), ...change } })
}

const runsOf = async (here: World) =>
  (await storedJob(here)).runs.map(({ by, status }) => `${by} ${status}`)

/** Runs the schedule without waiting for the runs that it begins. */
const begin = ({ ports }: World, processId = 'process-1') =>
  runBySchedule.with({ ...ports, background: memoryBackground(processId) })()

/** Begins a run in a process that is then killed: it renews no lease and writes nothing. */
async function givenDead(here: World) {
  const { clock, stackJobs } = here.ports
  await givenJob(here, sleeps)
  clock.advance(hour)
  let isDead = false
  const never = new Promise<never>(() => {})
  const dead = {
    ...here.ports,
    background: memoryBackground('process-0'),
    clock: {
      ...clock,
      sleep: (_: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
    },
    stackJobs: {
      ...stackJobs,
      replace: (job: Parameters<typeof stackJobs.replace>[0]) =>
        isDead ? never : stackJobs.replace(job),
    },
  }
  await runBySchedule.with(dead)()
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  isDead = true
}

test('runs a job at each scheduled time', async () => {
  const here = await jobWorld()
  await givenJob(here)
  await tick(here)
  expect(await runsOf(here)).toEqual([])
  await tick(here, hour)
  await tick(here)
  expect(await runsOf(here)).toEqual(['schedule succeeded'])
  expect(await shownJob(here)).toMatchObject({
    next_run_at: '2026-06-01T14:00:00.000Z',
    last_run: { exit_code: 0 },
  })
  await tick(here, hour)
  expect(await runsOf(here)).toHaveLength(2)
})

test('makes up for missed times with one run; a disabled job does not run', async () => {
  const here = await jobWorld()
  await givenJob(here)
  await givenJob(here, { job: 'off', enabled: false })
  await tick(here, 50 * hour)
  await tick(here)
  expect(await runsOf(here)).toHaveLength(1)
  expect(present(await here.ports.stackJobs.find('shop.off')).runs).toEqual([])
})

test('a schedule continues after a clock that was a year ahead is corrected', async () => {
  const here = await jobWorld()
  const { clock } = here.ports
  const start = clock.now()
  await givenJob(here)
  clock.set(start + 365 * 24 * hour)
  await tick(here)
  clock.set(start + hour)
  for (let count = 0; count < 3; count += 1) await tick(here)
  expect(await runsOf(here)).toHaveLength(2)
  expect((await storedJob(here)).nextRunAt).toBe(start + 2 * hour)
})

test('one of several processes begins the run', async () => {
  const here = await jobWorld()
  await givenJob(here)
  here.ports.clock.advance(hour)
  const other = () => tick(here, 0, 'process-2')
  await Promise.all([tick(here), other(), tick(here), other()])
  expect(await runsOf(here)).toEqual(['schedule succeeded'])
  expect((await storedJob(here)).skipped).toBeNull()
})

test('begins only some runs at a time, and the others later', async () => {
  const here = await jobWorld()
  const { ports } = here
  for (let n = 0; n <= runningMax; n += 1) await givenJob(here, { job: `job-${n}` })
  ports.clock.advance(hour)
  await runBySchedule.with(ports)()
  const begun = (await ports.stackJobs.list()).filter(({ runs }) => runs.length > 0)
  expect(begun).toHaveLength(runningMax)
  await ports.background.settled()
  await tick(here)
  expect((await ports.stackJobs.list()).every(({ runs }) => runs.length === 1)).toBe(true)
})

test('the runs of one host hold up no job of another, and a wait is logged once', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenHost(here, 'far')
  for (let n = 0; n <= runningMax; n += 1) await givenJob(here, { job: `job-${n}`, ...sleeps })
  const near = present(await ports.stacks.find('shop'))
  await ports.stacks.create({ ...near, id: 'away', hostId: 'far' })
  const job = present(await ports.stackJobs.find('shop.job-0'))
  // Its id is the last one, and it is due at the same time.
  await ports.stackJobs.create({ ...job, id: 'shop.job-z', name: 'job-z', stack: 'away' })
  ports.clock.advance(hour)
  await begin(here)
  await begin(here)
  const begun = (await ports.stackJobs.list()).filter(({ runs }) => runs.length > 0)
  expect(begun.map(({ name }) => name)).toContain('job-z')
  expect(begun).toHaveLength(runningMax + 1)
  const waits = ports.log.lines.filter(({ message }) => message.includes('waits'))
  expect(waits).toMatchObject([
    { level: 'warn', fields: { job: 'shop.job-8', host: 'local', running: runningMax } },
  ])
  await expect.poll(() => oneOffs(here).length).toBe(runningMax)
  for (const { id } of oneOffs(here)) await here.engine.removeContainer(id, { force: true })
})

test('skips a scheduled time while the last run goes on', async () => {
  const here = await jobWorld()
  const { ports, engine } = here
  await givenJob(here, { ...sleeps, timeout_seconds: 86_400 })
  await call(runJob, { ports, as: olga, path: jobPath })
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  const { holder } = await ports.leases.peek('stack-job:shop.nightly')
  // The lease lasts, as if it was renewed for an hour.
  ports.clock.set(Date.UTC(2026, 5, 1, 13))
  await ports.leases.acquire('stack-job:shop.nightly', present(holder), 10_000)
  await begin(here, 'process-2')
  expect(await shownJob(here)).toMatchObject({
    last_skipped: { at: '2026-06-01T13:00:00.000Z', reason: 'the last run has not ended' },
    next_run_at: '2026-06-01T14:00:00.000Z',
  })
  await engine.removeContainer(present(oneOffs(here)[0]).id, { force: true })
  await ports.background.settled()
})

const paused = { by: 'mia', at: 1, verb: 'pause' as const }

test.each([
  ['stopped', { deployed: false }, 'the stack is not deployed, or it is stopped'],
  ['paused', { verbs: { web: paused, db: paused } }, 'the stack is paused'],
])('skips the times of a stack that is %s', async (_, change, reason) => {
  const here = await jobWorld()
  await givenJob(here)
  const stack = present(await here.ports.stacks.find('shop'))
  await here.ports.stacks.replace({ ...stack, ...change })
  await tick(here, hour)
  expect([await runsOf(here), (await storedJob(here)).skipped?.reason]).toEqual([[], reason])
})

test('a stack that a user stopped has no runs until it is deployed', async () => {
  const here = await jobWorld()
  await givenJob(here)
  await call(stopStack, { ports: here.ports, as: 'admin', path: { name: 'shop' } })
  await tick(here, hour)
  expect(await runsOf(here)).toEqual([])
})

test('a run waits while an operation of the stack runs', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here)
  ports.clock.advance(hour)
  const lease = present(await tryStackLease('shop', 'process-2/019e0000', ports))
  await runBySchedule.with(ports)()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([await runsOf(here), oneOffs(here)]).toEqual([['schedule running'], []])
  await ports.leases.release(lease)
  ports.clock.advance(2_000)
  await ports.background.settled()
  expect(await runsOf(here)).toEqual(['schedule succeeded'])
})

/** Runs the schedule until a run waits, undoes what it waits for, and returns how the run ended. */
async function endAfterWait(here: World, undo: () => Promise<unknown>) {
  const { ports } = here
  await runBySchedule.with(ports)()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([await runsOf(here), oneOffs(here)]).toEqual([['schedule running'], []])
  await undo()
  ports.clock.advance(2_000)
  await ports.background.settled()
  return present((await storedJob(here)).runs[0])
}

test('a run waits while a deploy recreates what its service depends on', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here, { service: 'web' })
  ports.clock.advance(hour)
  const lease = present(await tryStackLease('shop', 'process-2/019e0000', ports))
  const db = present([...here.engine.state.containers.values()].find(({ name }) => /db/.test(name)))
  db.state = 'exited'
  const end = await endAfterWait(here, async () => {
    db.state = 'running'
    await ports.leases.release(lease)
  })
  expect(end).toMatchObject({ status: 'succeeded', error: null })
})

test('a run waits for a deploy that began while the run was prepared', async () => {
  const here = await jobWorld()
  const { engine, ports } = here
  await givenJob(here, { service: 'web' })
  ports.clock.advance(hour)
  const db = present([...engine.state.containers.values()].find(({ name }) => /db/.test(name)))
  const { projectContainers } = engine
  engine.projectContainers = async (name) => {
    engine.projectContainers = projectContainers
    await changeLast(here, { deploymentId: '019e0000', status: 'running' })
    db.state = 'exited'
    return projectContainers(name)
  }
  const end = await endAfterWait(here, async () => {
    db.state = 'running'
  })
  expect(end).toMatchObject({ status: 'succeeded', error: null })
})

test('a run is prepared again if a deploy ended meanwhile', async () => {
  const here = await jobWorld()
  const { engine, ports } = here
  await givenJob(here)
  ports.clock.advance(hour)
  await changeLast(here, { status: 'running', applied: false })
  const { projectContainers } = engine
  engine.projectContainers = async (name) => {
    engine.projectContainers = projectContainers
    await changeLast(here, { status: 'succeeded', applied: true })
    return projectContainers(name)
  }
  const end = await endAfterWait(here, async () => {})
  expect(end).toMatchObject({ status: 'succeeded', error: null })
})

test('a run that waits never runs in another stack with the name of its own', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here)
  ports.clock.advance(hour)
  const lease = present(await tryStackLease('shop', 'process-2/019e0000', ports))
  const end = await endAfterWait(here, async () => {
    const stack = present(await ports.stacks.find('shop'))
    await ports.stacks.replace({ ...stack, createdAt: stack.createdAt + 1 })
    await ports.leases.release(lease)
  })
  expect(end).toMatchObject({ status: 'failed', error: 'stack shop: it has no job nightly' })
  expect(oneOffs(here)).toEqual([])
})

test('nothing begins while the service is paused for an upgrade, and all stays due', async () => {
  const here = await jobWorld()
  const { leases } = here.ports
  await givenJob(here)
  here.ports.clock.advance(hour)
  const lease = present(await leases.acquire(pauseLease, 'process-2', 10_000))
  await tick(here)
  expect(await runsOf(here)).toEqual([])
  await leases.release(lease)
  await tick(here)
  expect(await runsOf(here)).toHaveLength(1)
})

test('a run that takes too long is ended, and its container removed', async () => {
  const here = await jobWorld()
  await givenJob(here, { ...sleeps, timeout_seconds: 1 })
  await tick(here, hour)
  expect((await shownJob(here)).last_run).toMatchObject({
    status: 'failed',
    exit_code: null,
    error: 'it did not end within 1 s',
  })
  expect(oneOffs(here)).toEqual([])
})

test('a run fails while its host does not respond', async () => {
  const here = await jobWorld()
  await givenJob(here)
  here.engine.offline = internalError('host local does not respond', { reason: 'host-offline' })
  await tick(here, hour)
  expect((await shownJob(here)).last_run).toMatchObject({
    status: 'failed',
    error: 'host local does not respond',
  })
})

test.each([
  ['disabled', { disabled: true }, 'account olga is disabled'],
  [
    'demoted',
    { role: 'viewer' },
    'account olga does not have the permission containers:exec, which it needs for jobs',
  ],
] as const)(
  'a job whose account is %s is blocked until that is undone',
  async (_, change, reason) => {
    const here = await jobWorld()
    await givenJob(here)
    await changeOlga(here, change)
    await tick(here, 60_000)
    expect((await shownJob(here)).acts_as.blocked).toBe(reason)
    await tick(here, hour)
    expect(await runsOf(here)).toEqual([])
    expect((await storedJob(here)).skipped?.reason).toBe(`the job is blocked: ${reason}`)
    await changeOlga(here, { disabled: false, role: 'operator' })
    await tick(here, hour)
    expect((await shownJob(here)).acts_as.blocked).toBeNull()
    expect(await runsOf(here)).toEqual(['schedule succeeded'])
    const { rows } = await here.ports.audit.list({ action: 'stacks.jobs', limit: 99 })
    const own = rows.filter(({ actor }) => actor === 'service').map(({ action }) => action)
    expect(own.reverse()).toEqual(['stacks.jobs.block', 'stacks.jobs.unblock', 'stacks.jobs.end'])
  },
)

test('an account that lost the right to what the service uses runs nothing', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here, {}, { username: 'ada', role: 'admin' })
  const stack = present(await ports.stacks.find('shop'))
  const text = 'services: {job: {image: "busybox:latest", privileged: true}}'
  const files = { ...stack.files, compose: await ports.texts.put(text) }
  await ports.stacks.replace({ ...stack, files, written: files })
  const ada = present(await ports.accounts.findByUsername('ada'))
  await ports.accounts.replace({ ...ada, role: 'operator' })
  await tick(here, hour)
  expect((await shownJob(here)).last_run).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('privileged'),
  })
  expect(oneOffs(here)).toEqual([])
})

test('the run of a process that was killed is interrupted, and its container removed', async () => {
  const here = await jobWorld()
  await givenDead(here)
  await begin(here, 'process-1')
  expect(await runsOf(here)).toEqual(['schedule running'])
  here.ports.clock.advance(10_000)
  await Promise.all([begin(here, 'process-1'), begin(here, 'process-2')])
  expect((await shownJob(here)).last_run).toMatchObject({
    status: 'interrupted',
    error: 'the service ended while this was running',
  })
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
  const { rows } = await here.ports.audit.list({ action: 'stacks.jobs.end', limit: 9 })
  expect(rows).toMatchObject([{ outcome: 'failed', values: { status: 'interrupted' } }])
})

test('while the container of a killed run cannot be removed, no other run begins', async () => {
  const here = await jobWorld()
  const { engine, ports } = here
  await givenDead(here)
  engine.offline = internalError('host local does not respond', { reason: 'host-offline' })
  ports.clock.advance(10_000)
  await begin(here)
  expect((await shownJob(here)).last_run.status).toBe('interrupted')
  engine.offline = undefined
  const byHand = await call(runJob, { ports, as: olga, path: jobPath })
  expect([byHand.status, byHand.headers['x-error-reason']]).toEqual([409, 'lease-held'])
  expect(byHand.json.error).toContain('its last run has not ended')
  await tick(here, hour)
  expect(await runsOf(here)).toEqual(['schedule interrupted'])
  expect((await storedJob(here)).skipped?.reason).toBe('the last run has not ended')
})

test('409: the process of the last run was killed, and the run has not ended yet', async () => {
  const here = await jobWorld()
  await givenDead(here)
  here.ports.clock.advance(10_000)
  const { headers } = await call(runJob, { ports: here.ports, as: olga, path: jobPath })
  expect(headers['x-error-reason']).toBe('lease-held')
  await begin(here)
  expect(await runsOf(here)).toEqual(['schedule interrupted'])
})

test('a service that stops ends its runs as interrupted', async () => {
  const here = await jobWorld()
  await givenJob(here, sleeps)
  here.ports.clock.advance(hour)
  await runBySchedule.with(here.ports)()
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  here.ports.background.abort()
  await here.ports.background.settled()
  expect((await shownJob(here)).last_run).toMatchObject({ status: 'interrupted' })
  expect(oneOffs(here)).toEqual([])
})

test('the job of a stack that was deleted and created again is deleted', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here)
  const stack = present(await ports.stacks.find('shop'))
  await ports.stacks.replace({ ...stack, createdAt: stack.createdAt + 1 })
  await tick(here, hour)
  expect(await ports.stackJobs.list()).toEqual([])
})

test('the schedule leaves a job that was created in place of the one that it read', async () => {
  const here = await jobWorld()
  const { stackJobs, stacks } = here.ports
  await givenJob(here)
  const list = async () => {
    const read = await stackJobs.list()
    const stack = present(await stacks.find('shop'))
    await stacks.replace({ ...stack, createdAt: stack.createdAt + 1 })
    await stackJobs.remove('shop.nightly')
    await givenJob(here, { command: ['true'] })
    return read
  }
  await runBySchedule.with({ ...here.ports, stackJobs: { ...stackJobs, list } })()
  expect((await storedJob(here)).command).toEqual(['true'])
})

test('404: no feed attaches to the container of a run, not even of its account', async () => {
  const here = await jobWorld()
  await givenJob(here, sleeps)
  const service = await feedWorld({ ports: here.ports, limits: { recheck: 20 } })
  onTestFinished(() => service.close(AbortSignal.abort()))
  await call(runJob, { ports: here.ports, as: olga, path: jobPath })
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  const { id } = present(oneOffs(here)[0])
  await expect(service.open(`/ws/attach/${id}`, olga)).rejects.toMatchObject({ status: 404 })
  await here.engine.removeContainer(id, { force: true })
  await here.ports.background.settled()
})
