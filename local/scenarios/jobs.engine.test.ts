import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import {
  api,
  logIn,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const name = unique('jobs')
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
  job:
    image: busybox:latest
    profiles: [tools]
    environment: { MODE: prod }
    volumes: ["data:/data"]
    depends_on: [web]
volumes:
  data:
`

let place: Place
let running: Running
let token: string

beforeAll(async () => {
  place = newPlace()
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await made('/stacks', { name, compose })
  const up = await call('POST', `/stacks/${name}/deploy`, { profiles: ['tools'] })
  expect(up.json, JSON.stringify(up.json)).toMatchObject({ status: 'succeeded' })
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
})

const call = (method: string, path: string, body?: unknown) =>
  api(running, method, path, { token, body })

async function made(path: string, body: Json): Promise<Json> {
  const { status, json } = await call('POST', path, body)
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}

const givenJob = (job: string, command: string, more: Json = {}) =>
  made(`/stacks/${name}/jobs`, { job, service: 'job', command: ['sh', '-c', command], ...more })

const runsOf = async (job: string): Promise<Json[]> =>
  (await call('GET', `/stacks/${name}/jobs/${job}/runs`)).json

/** Returns the IDs of the one-off containers of the stack. */
const oneOffs = () =>
  docker(
    ...['ps', '-aq', '--no-trunc', '--filter', `label=com.docker.compose.project=${name}`],
    ...['--filter', 'label=com.docker.compose.oneoff=True'],
  )
    .split('\n')
    .filter(Boolean)

test('a run has the variables of the service, its output on both streams, and its exit code', async () => {
  await givenJob('bad', 'echo $MODE; echo "to stderr" >&2; exit 3')
  const { status, json } = await call('POST', `/stacks/${name}/jobs/bad/run?wait=true`)
  expect([status, json.status, json.exit_code]).toEqual([200, 'failed', 3])
  expect(json.log.split('\n').sort()).toEqual(['', 'prod', 'to stderr'])
  expect(oneOffs()).toEqual([])
})

test('a long log is cut at its beginning', async () => {
  await givenJob('long', 'i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done')
  const { json } = await call('POST', `/stacks/${name}/jobs/long/run?wait=true`)
  expect([json.status, json.log_cut]).toEqual(['succeeded', true])
  expect(json.log.endsWith('line 19999\n')).toBe(true)
  const [run] = await runsOf('long')
  expect(Buffer.byteLength(run.log)).toBeLessThanOrEqual(16 * 1024)
})

test('a run that takes too long is killed', async () => {
  await givenJob('slow', 'sleep 600', { timeout_seconds: 2 })
  const { json } = await call('POST', `/stacks/${name}/jobs/slow/run?wait=true`)
  expect([json.status, json.error]).toEqual(['failed', 'it did not end within 2 s'])
  expect(oneOffs()).toEqual([])
})

test('a job runs at the next minute of its schedule', { timeout: 120_000 }, async () => {
  const { next_run_at: next } = await givenJob('cron', 'date >> /data/runs; cat /data/runs', {
    schedule: '* * * * *',
    timezone: 'Europe/Berlin',
  })
  const [run] = await until(
    () => runsOf('cron'),
    ([last]) => last !== undefined && last.status !== 'running',
    120,
  )
  expect(run).toMatchObject({ by: 'schedule', status: 'succeeded', exit_code: 0 })
  const late = Date.parse(run.started_at) - Date.parse(next)
  expect([late >= 0, late < 30_000]).toEqual([true, true])
  expect((await call('PUT', `/stacks/${name}/jobs/cron`, { enabled: false })).status).toBe(200)
})

// Last: it kills the service.
test('the service is killed in a run: the run is interrupted, and its container removed', async () => {
  await givenJob('killed', 'sleep 600')
  const begun = await call('POST', `/stacks/${name}/jobs/killed/run`)
  expect(begun.status, JSON.stringify(begun.json)).toBe(202)
  await until(
    async () => oneOffs(),
    (ids) => ids.length === 1,
  )
  running.child.kill('SIGKILL')
  await running.ended
  running = await startIn(place)
  token = await logIn(place, running)
  const [run] = await until(
    () => runsOf('killed'),
    ([last]) => last?.status !== 'running',
  )
  expect(run).toMatchObject({
    id: begun.json.id,
    status: 'interrupted',
    error: 'the service ended while this was running',
  })
  await until(
    async () => oneOffs(),
    (ids) => ids.length === 0,
  )
  expect((await call('DELETE', `/stacks/${name}?volumes=true`)).status).toBe(204)
})
