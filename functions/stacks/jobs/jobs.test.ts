import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import {
  changeOlga,
  givenJob,
  jobBody,
  jobPath,
  jobWorld,
  olga,
  oneOffs,
  shownJob,
  storedJob,
} from '../../../local/harness/jobs.ts'
import { limitedToken } from '../../../local/harness/limited-token.ts'
import type { TestCaller } from '../../../local/harness/sign-in.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import type { StackJob } from '../../core/records/stack-job.ts'
import forget from '../forget.ts'
import removeStack from '../remove.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import run from './run.ts'
import update from './update.ts'

const shop = { name: 'shop' }
const creates = ({ ports }: World, body: Json, as: TestCaller = olga, name = 'shop') =>
  call(create, { ports, as, path: { name }, body: { ...jobBody, ...body } })
const updates = ({ ports }: World, body: Json, as: TestCaller = olga) =>
  call(update, { ports, as, path: jobPath, body })
const runs = ({ ports }: World, as: TestCaller = olga, query = {}) =>
  call(run, { ports, as, path: jobPath, query })

/** Makes the files of the stack unreadable. */
async function breakFiles({ ports }: World) {
  const stack = present(await ports.stacks.find('shop'))
  const files = { ...stack.files, compose: await ports.texts.put('services: [') }
  await ports.stacks.replace({ ...stack, files, written: files })
}

test('201, 200 and 204: creates, shows, lists, changes and deletes a job', async () => {
  const here = await jobWorld()
  const { ports } = here
  const made = await creates(here, { timezone: 'Europe/Berlin', schedule: ' 30  3 * * *' })
  expect([made.status, made.headers.location]).toEqual([201, '/api/v1/stacks/shop/jobs/nightly'])
  expect(made.json).toEqual({
    stack: 'shop',
    ...jobBody,
    schedule: '30 3 * * *',
    timezone: 'Europe/Berlin',
    timeout_seconds: 3600,
    keep_runs: 10,
    enabled: true,
    acts_as: { username: 'olga', since: '2026-06-01T12:00:00.000Z', blocked: null },
    next_run_at: '2026-06-02T01:30:00.000Z',
    last_run: null,
    last_skipped: null,
    created_at: '2026-06-01T12:00:00.000Z',
    updated_at: '2026-06-01T12:00:00.000Z',
  })
  await creates(here, { job: 'a', command: null, schedule: null })
  const listed = await call(list, { ports, as: 'viewer', path: shop })
  expect(listed.status).toBe(200)
  expect(listed.json).toMatchObject([
    { job: 'a', command: null, next_run_at: null },
    { job: 'nightly', command: jobBody.command, next_run_at: '2026-06-02T01:30:00.000Z' },
  ])
  const changed = await updates(here, { enabled: false, keep_runs: 3 })
  expect(changed.json).toEqual({ ...made.json, enabled: false, keep_runs: 3, next_run_at: null })
  const shown = await call(get, { ports, as: 'viewer', path: jobPath })
  expect([shown.status, shown.json]).toEqual([200, changed.json])
  expect((await call(remove, { ports, as: olga, path: jobPath })).status).toBe(204)
  expect((await call(get, { ports, as: olga, path: jobPath })).status).toBe(404)
})

test.each([
  { schedule: '61 * * * *' },
  { timezone: 'Mars/Base' },
  { command: [] },
  { command: [''] },
  { command: ['a', 'b'.repeat(16_384)] },
  { timeout_seconds: 0 },
  { keep_runs: 31 },
  { job: 'Nightly' },
])('400: %j', async (body) => {
  expect((await creates(await jobWorld(), body)).status).toBe(400)
})

test('400: the schedule of a change is wrong in its time zone', async () => {
  const here = await jobWorld()
  await givenJob(here)
  expect((await updates(here, { schedule: '0 0 31 2 *' })).status).toBe(400)
})

test('404: no such stack, service or job', async () => {
  const here = await jobWorld()
  const { ports } = here
  expect((await creates(here, {}, olga, 'none')).status).toBe(404)
  expect((await creates(here, { service: 'none' })).status).toBe(404)
  expect((await call(list, { ports, as: olga, path: { name: 'none' } })).status).toBe(404)
  for (const path of [jobPath, { name: 'none', job: 'nightly' }]) {
    for (const endpoint of [get, remove, run]) {
      const request = { ports, as: olga, path } as const
      expect((await call(endpoint as typeof get, request)).status).toBe(404)
    }
    expect((await call(update, { ports, as: olga, path, body: {} })).status).toBe(404)
  }
})

test('409: the stack has a job with that name, or twenty jobs', async () => {
  const here = await jobWorld()
  await givenJob(here)
  expect((await creates(here, {})).headers['x-error-reason']).toBe('exists')
  for (let n = 1; n < 20; n += 1) await givenJob(here, { job: `job-${n}` })
  expect((await creates(here, { job: 'more' })).headers['x-error-reason']).toBe('limit')
})

test('403: a viewer, and a service that the policy refuses to the caller', async () => {
  const here = await jobWorld()
  const { ports } = here
  const path = { name: 'priv' }
  const compose = 'services: {job: {image: "busybox:latest", privileged: true, command: sleep 60}}'
  await givenStack(here, 'priv', { compose })
  expect((await creates(here, {}, 'viewer')).status).toBe(403)
  const refused = await creates(here, {}, olga, 'priv')
  expect([refused.status, refused.headers['x-error-reason']]).toEqual([403, 'policy'])
  expect((await creates(here, {}, 'admin', 'priv')).status).toBe(201)
  // The job of an admin runs with the rights of the admin: others may only turn it off.
  const own = { ports, as: olga, path: { ...path, job: 'nightly' } }
  expect((await call(run, own)).status).toBe(403)
  expect((await call(update, { ...own, body: { schedule: '* * * * *' } })).status).toBe(403)
  expect((await call(update, { ...own, body: { enabled: false } })).status).toBe(200)
})

test('403: a token that may do less than its account, if the job would act as it', async () => {
  const here = await jobWorld()
  const as = await limitedToken(here.ports, 'admin', 'operator')
  expect((await creates(here, {}, as)).status).toBe(403)
  await givenJob(here)
  expect((await updates(here, { command: null }, as)).status).toBe(403)
  expect((await updates(here, { keep_runs: 2 }, as)).status).toBe(200)
})

test('422: the files of the stack do not load; a job can still be turned off', async () => {
  const here = await jobWorld()
  await givenJob(here)
  await breakFiles(here)
  expect((await creates(here, { job: 'other' })).status).toBe(422)
  expect((await updates(here, { schedule: null })).status).toBe(422)
  expect((await runs(here)).status).toBe(422)
  expect((await updates(here, { enabled: false })).status).toBe(200)
})

test('a request that says what the job does takes it over, others do not', async () => {
  const here = await jobWorld()
  await givenJob(here)
  await updates(here, { schedule: null, timeout_seconds: 5 }, 'admin')
  expect((await shownJob(here)).acts_as.username).toBe('olga')
  await updates(here, { service: 'job' }, 'admin')
  expect((await shownJob(here)).acts_as.username).toBe('admin')
})

test('409: If-Match names an earlier version; a run does not change the version', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here)
  const { headers } = await call(get, { ports, as: olga, path: jobPath })
  const match = { 'if-match': String(headers.etag) }
  await runs(here, olga, { wait: true })
  const first = { ports, as: olga, path: jobPath, headers: match, body: { keep_runs: 2 } }
  here.ports.clock.advance(1)
  expect((await call(update, first)).status).toBe(200)
  expect((await call(update, first)).status).toBe(409)
  const { body: _, ...deletion } = first
  expect((await call(remove, deletion)).status).toBe(409)
})

test('200: with wait=true a run that has ended, with its log; its container is gone', async () => {
  const here = await jobWorld()
  await givenJob(here, { schedule: null })
  const { status, json, headers } = await runs(here, 'admin', { wait: true })
  expect([status, headers['x-operation-id']]).toEqual([200, json.id])
  expect(json).toMatchObject({
    status: 'succeeded',
    by: 'admin',
    exit_code: 0,
    error: null,
    log: 'done\n',
    log_cut: false,
  })
  await here.ports.background.settled()
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
  const { last_run, next_run_at } = await shownJob(here)
  expect([last_run.id, next_run_at]).toEqual([json.id, null])
})

test('202: a run that is not waited for; a command that fails says its exit code', async () => {
  const here = await jobWorld()
  await givenJob(here, { command: ['sh', '-c', 'echo a; exit 3'] })
  const { status, json, headers } = await runs(here)
  expect([status, json.status, json.log]).toEqual([202, 'running', null])
  expect(headers.location).toBe(`/api/v1/stacks/shop/jobs/nightly/runs/${json.id}`)
  await here.ports.background.settled()
  expect((await shownJob(here)).last_run).toMatchObject({
    id: json.id,
    status: 'failed',
    exit_code: 3,
    error: 'it ended with code 3',
  })
  const { rows } = await here.ports.audit.list({ action: 'stacks.jobs.end', limit: 9 })
  expect(rows).toMatchObject([
    {
      actor: 'service',
      username: 'olga',
      outcome: 'failed',
      subject: { kind: 'stacks', id: 'shop' },
      values: { job: 'nightly', run_id: json.id, status: 'failed', exit_code: '3' },
    },
  ])
})

test('200: without a command, that of the service runs', async () => {
  const here = await jobWorld()
  await givenJob(here, { command: null })
  expect((await runs(here, olga, { wait: true })).json.log).toBe('from the service\n')
})

test('409: a run is in progress, for a run and for a deletion', async () => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here, { command: ['sleep', '60'] })
  await runs(here)
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  expect((await runs(here)).headers['x-error-reason']).toBe('lease-held')
  expect((await call(remove, { ports, as: olga, path: jobPath })).status).toBe(409)
  await here.engine.removeContainer(present(oneOffs(here)[0]).id, { force: true })
  await ports.background.settled()
  expect((await shownJob(here)).last_run).toMatchObject({
    status: 'failed',
    error: 'its container was removed',
  })
})

test('409: someone changed the job while the rights of the caller were checked', async () => {
  const here = world()
  const { engine, ports } = here
  const job = 'job: {image: "nginx:1", profiles: [jobs]}'
  const compose = `services: {web: {image: "busybox:latest"}, ${job}}`
  await givenStack(here, 'shop', { compose })
  await givenJob(here, { command: ['true'] })
  const { execute } = engine
  engine.execute = async (step, signal) => {
    if (step.action === 'pull') {
      ports.clock.advance(1)
      await updates(here, { command: ['id'] }, 'admin')
    }
    return execute(step, signal)
  }
  const { status, json } = await runs(here)
  expect([status, json.error]).toEqual([
    409,
    'job shop.nightly: it was changed in the meantime: try again',
  ])
  expect((await storedJob(here)).runs).toEqual([])
  expect((await ports.leases.peek('stack-job:shop.nightly')).held).toBe(false)
})

test('409: the job is blocked, also for an admin; taken over, it runs', async () => {
  const here = await jobWorld()
  await givenJob(here)
  await changeOlga(here, { disabled: true })
  const { status, headers, json } = await runs(here, 'admin')
  expect([status, headers['x-error-reason']]).toEqual([409, 'blocked'])
  expect(json.error).toContain('account olga is disabled')
  await updates(here, { service: 'job' }, 'admin')
  expect((await runs(here, 'admin', { wait: true })).json.status).toBe('succeeded')
})

test('409: a stack that was never deployed', async () => {
  const here = await jobWorld()
  await givenStack(here, 'new', { deployed: false })
  expect((await creates(here, { service: 'web' }, olga, 'new')).status).toBe(201)
  const path = { name: 'new', job: 'nightly' }
  expect((await call(run, { ports: here.ports, as: olga, path })).status).toBe(409)
})

test.each([
  ['deleted', removeStack],
  ['forgotten', forget],
] as const)('the jobs of a stack that is %s are deleted with their logs', async (_, endpoint) => {
  const here = await jobWorld()
  const { ports } = here
  await givenJob(here)
  await runs(here, olga, { wait: true })
  expect(await ports.jobLogs.list()).toHaveLength(1)
  const request = { ports, as: 'admin', path: shop } as const
  expect((await call(endpoint as typeof removeStack, request)).status).toBe(204)
  expect([await ports.stackJobs.list(), await ports.jobLogs.list()]).toEqual([[], []])
})

test('fewer kept runs remove the oldest with their logs', async () => {
  const here = await jobWorld()
  await givenJob(here)
  for (let n = 0; n < 3; n += 1) {
    here.ports.clock.advance(1)
    await runs(here, olga, { wait: true })
    await here.ports.background.settled()
  }
  await updates(here, { keep_runs: 1 })
  const { runs: kept } = await storedJob(here)
  const logs = (await here.ports.jobLogs.list()).map(({ id }) => id)
  expect(logs).toEqual(kept.map(({ id }) => id))
  expect(kept).toHaveLength(1)
  const { json } = await runs(here, olga, { wait: true })
  expect((await storedJob(here)).runs).toMatchObject([{ id: json.id }])
  expect(await here.ports.jobLogs.list()).toMatchObject([{ id: json.id }])
})

/** Changes the record of the job just before the next write of it. */
function changeBeforeWrite({ ports }: World, change: Partial<StackJob>) {
  const { replace } = ports.stackJobs
  ports.stackJobs.replace = async (next) => {
    ports.stackJobs.replace = replace
    await replace({ ...present(await ports.stackJobs.find(next.id)), ...change })
    return replace(next)
  }
}

/** Creates the job, and runs it twice. */
async function givenRuns(here: World) {
  await givenJob(here)
  for (let n = 0; n < 2; n += 1) {
    here.ports.clock.advance(1)
    await runs(here, olga, { wait: true })
    await here.ports.background.settled()
  }
}

test('409: another user changed the job at the same time; all runs keep their logs', async () => {
  const here = await jobWorld()
  await givenRuns(here)
  changeBeforeWrite(here, { updatedAt: here.ports.clock.now() })
  const { status, headers } = await updates(here, { keep_runs: 1 })
  expect([status, headers['x-error-reason']]).toEqual([409, 'conflict'])
  expect((await storedJob(here)).runs).toHaveLength(2)
  expect(await here.ports.jobLogs.list()).toHaveLength(2)
})

test('200: the schedule changed the job at the same time, which the change keeps', async () => {
  const here = await jobWorld()
  await givenRuns(here)
  const skipped = { at: 1, reason: 'the stack is paused' }
  changeBeforeWrite(here, { skipped })
  expect((await updates(here, { keep_runs: 1 })).status).toBe(200)
  const job = await storedJob(here)
  expect([job.runs.length, job.skipped]).toEqual([1, skipped])
  expect(await here.ports.jobLogs.list()).toMatchObject([{ id: present(job.runs[0]).id }])
})
