/** Timing: a live process must renew its lease of 10 s, or another one takes its work. */
import { afterAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { fakedClock } from '../harness/faked-clock.ts'
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

const runningNames = (stack: string) =>
  docker('ps', '--format', '{{.Names}}', '--filter', `label=com.docker.compose.project=${stack}`)
    .split('\n')
    .filter(Boolean)
    .sort()

/**
 * Returns a file whose services start one second after each other, so that a deploy takes that many
 * seconds.
 */
const slowFile = (services: number) =>
  `services:\n${Array.from({ length: services }, (_, index) => {
    const after = index > 0 ? `, depends_on: {s${index - 1}: {condition: service_healthy}}` : ''
    const healthcheck = 'healthcheck: {test: "true", interval: 1s}'
    return `  s${index}: {image: 'busybox:latest', command: sleep 3600, init: true, ${healthcheck}${after}}\n`
  }).join('')}`

/** Starts two processes of one service, and a deployment in the first. */
async function deploying(name: string, services: number, env: Record<string, string> = {}) {
  const place = newPlace()
  places.push(place)
  stacks.push(name)
  const first = await startIn(place)
  const token = await setUpAdmin(place, first)
  const second = await startIn({ ...place, env: { ...place.env, ...env } })
  await api(first, 'POST', '/stacks', { token, body: { name, compose: slowFile(services) } })
  const path = `/stacks/${name}/deploy?wait=false`
  const { json } = await api(first, 'POST', path, { token, body: {} })
  await until(
    async () => runningNames(name).length,
    (count) => count >= 2,
  )
  const read = async (process: Running) => {
    const own = process === second ? await logIn(place, second) : token
    return (await api(process, 'GET', `/stacks/${name}/deployments/${json.id}`, { token: own }))
      .json
  }
  return { place, first, second, token, id: json.id as string, read }
}

test.concurrent('a process paused during a deploy does not change what another one finished', async () => {
  const name = unique('paused')
  const { place, first, second, token, id, read } = await deploying(name, 5)
  first.child.kill('SIGSTOP')
  const token2 = await logIn(place, second)
  const ended = await until(
    () => read(second),
    ({ status }) => status !== 'running',
  )
  expect(ended).toMatchObject({ status: 'succeeded', error: null })
  const body = { force_recreate: true }
  const again = await api(second, 'POST', `/stacks/${name}/deploy`, { token: token2, body })
  expect(again.json).toMatchObject({ status: 'succeeded', error: null })
  const before = docker('ps', '-q', '--no-trunc', '--filter', `name=^${name}-`).split('\n').sort()

  first.child.kill('SIGCONT')
  await until(
    async () => first.lines.some((line) => line.includes('a deployment is left to recovery')),
    Boolean,
  )
  expect(await read(first)).toMatchObject({ id, status: 'succeeded', error: null })
  const after = docker('ps', '-q', '--no-trunc', '--filter', `name=^${name}-`).split('\n').sort()
  expect(after).toEqual(before)
  for (const process of [first, second]) {
    const own = process === first ? token : token2
    const shown = async () => (await api(process, 'GET', `/stacks/${name}`, { token: own })).json
    // The last service is starting until its first health check.
    await until(shown, ({ status }) => status === 'running')
    const next = await api(process, 'POST', `/stacks/${name}/deploy`, { token: own, body: {} })
    expect(next.json).toMatchObject({ status: 'succeeded', steps: [] })
  }
  await api(second, 'DELETE', `/stacks/${name}`, { token: token2 })
})

test.concurrent('a process with its clock 15 s ahead does not take over another one’s work', async () => {
  const name = unique('skewed')
  const { place, first, second, token, id, read } = await deploying(name, 10, {
    ...fakedClock,
    FAKETIME: '+15s',
  })
  const token2 = await logIn(place, second)
  const other = await api(second, 'POST', `/stacks/${name}/deploy`, { token: token2, body: {} })
  expect(other.status).toBe(409)
  const ended = await until(
    () => read(first),
    ({ status }) => status !== 'running',
  )
  expect(ended).toMatchObject({ id, status: 'succeeded', error: null })
  const lines = [...first.lines, ...second.lines].join('\n')
  expect(lines).not.toContain('was interrupted: its process ended')
  expect(lines).not.toContain('a deployment is left to recovery')
  const next = await api(first, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
  expect(next.json).toMatchObject({ status: 'succeeded', steps: [] })
  await api(first, 'DELETE', `/stacks/${name}`, { token })
})
