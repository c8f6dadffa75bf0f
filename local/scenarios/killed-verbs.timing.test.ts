/** Timing: a process that is paused for a moment must keep its lease of 10 s. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
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

const places: Place[] = []
const stacks: string[] = []

afterAll(async () => {
  for (const place of places) await place.remove()
  for (const name of stacks) await removeFromEngine(name)
})

/** Has to be killed, so that each stop takes as long as the service allows. */
const ignores = `["sh", "-c", "trap '' TERM; sleep 3600"]`

const compose = `services:
  db: {image: "busybox:latest", command: ${ignores}, stop_grace_period: 2s}
  web:
    image: busybox:latest
    command: ${ignores}
    stop_grace_period: 1s
    depends_on: {db: {condition: service_started, restart: true}}
`

/** A process of the service, and calls of its API as the admin. */
async function processOf(place: Place, isFirst = false) {
  const running = await startIn(place)
  const token = isFirst ? await setUpAdmin(place, running) : await logIn(place, running)
  return { running, token }
}

type Process = Awaited<ReturnType<typeof processOf>>

async function given(word: string) {
  const place = newPlace()
  places.push(place)
  const name = unique(word)
  stacks.push(name)
  const first = await processOf(place, true)
  expect(await ask(first, 'POST', '/stacks', { name, compose })).toMatchObject({ name })
  expect(await ask(first, 'POST', `/stacks/${name}/deploy`, {})).toMatchObject({ error: null })
  return { place, name, first }
}

const ask = async ({ running, token }: Process, method: string, path: string, body?: object) =>
  (await api(running, method, `${path}`, { token, body })).json

async function killed({ running }: { running: Running }): Promise<void> {
  running.child.kill('SIGKILL')
  await running.ended
}

/** Returns the names and states of a project's containers. */
const containers = (name: string) =>
  docker(
    ...['ps', '-a', '--filter', `label=com.docker.compose.project=${name}`],
    ...['--format', '{{.Names}} {{.State}}'],
  )
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(`${name}-`, ''))
    .sort()

const networks = (name: string) =>
  docker('network', 'ls', '-q', '--filter', `label=com.docker.compose.project=${name}`)

const ended = (process: Process, name: string, id: string) =>
  until(
    () => ask(process, 'GET', `/stacks/${name}/deployments/${id}`),
    ({ status }) => status !== 'running',
  )

/** Sends a request that may arrive just before the lease of the ended deployment is released. */
const afterwards = (process: Process, path: string, body: object) =>
  until(
    () => ask(process, 'POST', path, body),
    ({ error }) => !String(error).includes('another operation of it is running'),
  )

const states = async (process: Process, name: string) =>
  Object.fromEntries(
    (await ask(process, 'GET', `/stacks/${name}/status`)).map((row: Json) => [
      row.service,
      row.service_state,
    ]),
  )

const running = (web: number) => [
  'db-1 running',
  ...Array.from({ length: web }, (_, index) => `web-${index + 1} running`),
]

test.concurrent.each([
  [6, (seen: string[]) => seen.length >= 3],
  [1, (seen: string[]) => seen.length <= 4],
])(
  'a scale to %i whose process is killed is completed after the next start',
  async (replicas, isHalf) => {
    const { place, name, first } = await given(`scaled${replicas}x`)
    const path = `/stacks/${name}/services/web/scale`
    if (replicas === 1) await ask(first, 'POST', path, { replicas: 5 })
    const { id } = await ask(first, 'POST', `${path}?wait=false`, { replicas })
    await until(async () => containers(name), isHalf)
    await killed(first)
    const second = await processOf(place)
    expect(await ended(second, name, id)).toMatchObject({ status: 'succeeded', error: null })
    expect(containers(name)).toEqual(running(replicas))
    expect(await states(second, name)).toEqual({ db: 'running', web: 'running' })
    expect(await afterwards(second, path, { replicas })).toMatchObject({ error: null, steps: [] })
    const plan = await ask(second, 'POST', `/stacks/${name}/plan`, {})
    if (replicas === 1) expect(plan).toEqual([])
    else expect(plan[0]).toMatchObject({ action: 'warning', name: 'web' })
    expect(await ask(second, 'POST', `/stacks/${name}/deploy`, {})).toMatchObject({ error: null })
    expect(containers(name)).toEqual(running(1))
  },
)

test.concurrent('a down whose process is killed is completed after the next start', async () => {
  const { place, name, first } = await given('downed')
  const { id } = await ask(first, 'POST', `/stacks/${name}/down?wait=false`, {})
  await until(
    async () => containers(name),
    (seen) => seen.length === 1,
  )
  await killed(first)
  const second = await processOf(place)
  expect(await ended(second, name, id)).toMatchObject({ status: 'succeeded', error: null })
  expect([containers(name), networks(name)]).toEqual([[], ''])
  expect(await ask(second, 'GET', `/stacks/${name}`)).toMatchObject({ status: 'not_deployed' })
  expect(await states(second, name)).toEqual({ db: 'inactive', web: 'inactive' })
  expect(await afterwards(second, `/stacks/${name}/down`, {})).toMatchObject({ steps: [] })
  expect(await ask(second, 'POST', `/stacks/${name}/deploy`, {})).toMatchObject({ error: null })
  expect(containers(name)).toEqual(running(1))
})

/** Restarts `db`, and with it `web`. Its first process is paused for a time in between. */
async function pausedIn(word: string, milliseconds: number) {
  const { place, name, first } = await given(word)
  const second = await processOf(place)
  const { id } = await ask(first, 'POST', `/stacks/${name}/services/db/restart?wait=false`, {})
  await until(
    () => ask(first, 'GET', `/stacks/${name}/deployments/${id}`),
    ({ steps }) => steps.some((step: Json) => step.status === 'running'),
  )
  first.running.child.kill('SIGSTOP')
  await pause(milliseconds)
  return { name, first, second, id }
}

test.concurrent('a restart whose process is paused for long says that it may be half done', async () => {
  const { name, first, second, id } = await pausedIn('paused', 0)
  const end = await ended(second, name, id)
  expect([end.status, end.error]).toEqual([
    'interrupted',
    expect.stringContaining('a restart is not repeated'),
  ])
  expect(end.steps.map(({ status }: Json) => status)).not.toContain('running')
  first.running.child.kill('SIGCONT')
  await until(
    async () =>
      first.running.lines.some((line) => line.includes('a deployment is left to recovery')),
    Boolean,
  )
  const before = await ask(second, 'GET', `/stacks/${name}`)
  expect(before.last_deployment).toMatchObject({ id, status: 'interrupted' })
  // What the restart stopped is not shown as running, and the plan starts it.
  const stopped = containers(name).filter((line) => !line.endsWith('running'))
  const plan = await ask(second, 'POST', `/stacks/${name}/plan`, {})
  expect(plan.map(({ action }: Json) => action)).toEqual(stopped.map(() => 'start'))
  expect(before.status === 'running').toBe(stopped.length === 0)
  const path = `/stacks/${name}/services/db/restart`
  expect(await ask(first, 'POST', path, {})).toMatchObject({ status: 'succeeded', error: null })
  for (const one of [first, second]) {
    expect(await states(one, name)).toEqual({ db: 'running', web: 'running' })
    expect(await ask(one, 'POST', `/stacks/${name}/plan`, {})).toEqual([])
  }
})

test('a restart whose process is paused for a moment succeeds', async () => {
  const { name, first, second, id } = await pausedIn('moment', 2_000)
  first.running.child.kill('SIGCONT')
  expect(await ended(second, name, id)).toMatchObject({ status: 'succeeded', error: null })
  expect(await states(second, name)).toEqual({ db: 'running', web: 'running' })
})
