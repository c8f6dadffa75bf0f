import { afterAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { holdReaders } from '../harness/hold-readers.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { rowsOfRing } from '../harness/rings.ts'
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
import { withRetries } from '../harness/with-retries.ts'

/** Returns the names and states of a project's containers. */
const containers = (name: string) =>
  docker(
    ...['ps', '-a', '--filter', `label=com.docker.compose.project=${name}`],
    ...['--format', '{{.Names}} {{.State}}'],
  )
    .split('\n')
    .filter(Boolean)
    .sort()

const services = ['a', 'b', 'c', 'd', 'e']

const compose = (tag: string) =>
  `services:\n${services
    .map(
      (one, index) =>
        `  ${one}: {image: 'busybox:latest', command: sleep 3600, init: true, stop_grace_period: 1s, ` +
        `environment: {TAG: ${tag}}${index > 0 ? `, depends_on: [${services[index - 1]}]` : ''}}\n`,
    )
    .join('')}`

const places: Place[] = []
const stacks: string[] = []

afterAll(async () => {
  for (const place of places) await place.remove()
  for (const name of stacks) await removeFromEngine(name)
})

/**
 * Starts a service, kills it as soon as `at` steps of a deploy are done, and starts another one.
 * With `before` the stack is already deployed. Calls `started` with the second service.
 */
async function killedAt(
  at: number,
  { before }: { before: boolean },
  started: (second: Running) => void = () => {},
) {
  const place = newPlace()
  places.push(place)
  const name = unique(`crash-${at}${before ? '-again' : ''}`)
  stacks.push(name)
  const first = await startIn(place)
  const token = await setUpAdmin(place, first)
  const body = { name, compose: compose('one') }
  const made = await withRetries(() => api(first, 'POST', '/stacks', { token, body }))
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const begin = async () => {
    const path = `/stacks/${name}/deploy?wait=false`
    const { status, json } = await withRetries(() => api(first, 'POST', path, { token, body: {} }))
    expect(status, JSON.stringify(json)).toBe(202)
    return json.id as string
  }
  const read = async (id: string) =>
    (await api(first, 'GET', `/stacks/${name}/deployments/${id}`, { token })).json
  if (before) {
    const id = await begin()
    const ended = await until(
      () => read(id),
      ({ status }) => status !== 'running',
    )
    expect(ended).toMatchObject({ status: 'succeeded', error: null })
  }
  // On a slow machine a deploy may end between two looks. Then another one is killed.
  for (let round = 0; ; round += 1) {
    const body = { compose: compose(`next${round}`) }
    const change = () => api(first, 'PUT', `/stacks/${name}`, { token, body })
    if (before) expect((await withRetries(change)).status).toBe(200)
    const id = await begin()
    const half = await until(
      async () => ({ ...(await read(id)), count: containers(name).length }),
      ({ count, status }) => count >= at || status !== 'running',
    )
    expect(half.error).toBeNull()
    if (before && half.status !== 'running') continue
    first.child.kill('SIGKILL')
    await first.ended
    const second = await startIn(place)
    started(second)
    return { place, name, id, second, token: await logIn(place, second) }
  }
}

const kills: [at: number, options: { before: boolean }][] = [
  [1, { before: false }],
  [3, { before: false }],
  [6, { before: true }],
]

test.concurrent.each(rowsOfRing(kills, ([at]) => at > 1))(
  'ends a deploy whose process is killed (%i containers, %j) after the next start, without orphans',
  async (at, options) => {
    const { name, id, second, token } = await killedAt(at, options)
    const read = async () =>
      (await api(second, 'GET', `/stacks/${name}/deployments/${id}`, { token })).json
    const ended = await until(read, (deployment) => deployment.status !== 'running')
    expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'succeeded', error: null })
    expect(containers(name)).toEqual(services.map((one) => `${name}-${one}-1 running`))
    const deploy = () => api(second, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
    const again = await withRetries(deploy)
    expect(again.json).toMatchObject({ status: 'succeeded', steps: [] })
    expect((await api(second, 'GET', `/stacks/${name}`, { token })).json.status).toBe('running')
  },
)

test.concurrent('resumes a deploy after a time in which callers get 500, as no compose file is read', async () => {
  let release = () => {}
  const { name, id, second, token } = await killedAt(2, { before: false }, (running) => {
    release = holdReaders(running)
  })
  const read = async () =>
    (await api(second, 'GET', `/stacks/${name}/deployments/${id}`, { token })).json
  try {
    await until(
      async () => second.lines.some((line) => line.includes('a deployment was interrupted')),
      (recovers) => recovers,
    )
    const plan = () => api(second, 'POST', `/stacks/${name}/plan`, { token, body: {} })
    // Each waits for as long as a caller may wait, and the recovery has waited for longer.
    for (const refused of await Promise.all([plan(), plan()])) {
      expect(refused.status).toBe(500)
      expect(refused.json.error).toMatch(/compose files .*: try again in a moment$/)
    }
    expect((await read()).status).toBe('running')
  } finally {
    release()
  }
  const ended = await until(read, (deployment) => deployment.status !== 'running')
  expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'succeeded', error: null })
  expect(containers(name)).toEqual(services.map((one) => `${name}-${one}-1 running`))
})

test('SIGTERM lets a running deploy and a running request finish', async () => {
  const place = newPlace()
  places.push(place)
  const name = unique('drain')
  stacks.push(name)
  const first = await startIn(place)
  const token = await setUpAdmin(place, first)
  const body = { name, compose: compose('one') }
  const made = await withRetries(() => api(first, 'POST', '/stacks', { token, body }))
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const deploying = api(first, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
  await until(
    async () => containers(name).length,
    (count) => count >= 3,
  )
  first.child.kill('SIGTERM')
  expect((await deploying).json).toMatchObject({ status: 'succeeded' })
  expect(await first.ended).toBe(0)
})

test.concurrent('a second SIGTERM ends the service at once; the deployment is interrupted or resumed', async () => {
  const place = newPlace()
  places.push(place)
  const name = unique('twice')
  stacks.push(name)
  const first = await startIn(place)
  const token = await setUpAdmin(place, first)
  const slow = compose('one').replace('command: sleep 3600', 'command: sh -c "sleep 60"')
  const body = { name, compose: slow }
  const made = await withRetries(() => api(first, 'POST', '/stacks', { token, body }))
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const path = `/stacks/${name}/deploy?wait=false`
  const { status, json } = await withRetries(() => api(first, 'POST', path, { token, body: {} }))
  expect(status, JSON.stringify(json)).toBe(202)
  first.child.kill('SIGTERM')
  await until(
    async () => first.lines.some((line) => line.includes('the service is shutting down')),
    (told) => told,
  )
  first.child.kill('SIGTERM')
  await first.ended
  const second = await startIn(place)
  const login = await logIn(place, second)
  const read = async () =>
    (await api(second, 'GET', `/stacks/${name}/deployments/${json.id}`, { token: login })).json
  const ended = await until(read, (deployment) => deployment.status !== 'running')
  // Before its first step a deployment is given up, after it, it is resumed.
  expect([ended.status, ended.error]).toEqual(
    ended.status === 'succeeded'
      ? ['succeeded', null]
      : ['interrupted', expect.stringMatching(/\w/)],
  )
  const deploy = () => api(second, 'POST', `/stacks/${name}/deploy`, { token: login, body: {} })
  expect((await withRetries(deploy)).json).toMatchObject({ status: 'succeeded', error: null })
  expect(containers(name)).toEqual(services.map((one) => `${name}-${one}-1 running`))
})
