/** Timing: a hundred dead hosts delay an answer by less than 5 s. */
import { setMaxListeners } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../adapters/node/store-supervisor/free-port.ts'
import { enrolInProcess } from '../harness/agent.ts'
import { type DockerGate, dockerGate } from '../harness/docker-gate.ts'
import type { Json } from '../harness/json.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { within } from '../harness/within.ts'

// A hundred keys and certificates are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const count = 100
const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
const stop = new AbortController()
setMaxListeners(0, stop.signal)
/** Stands in for a hundred Engines. */
let hanging: DockerGate
let running: Running
let token: string
let hosts: Awaited<ReturnType<typeof enrolInProcess>>[]
let ids: string[]

const get = (path: string) => api(running, 'GET', path, { token })

beforeAll(async () => {
  hanging = await dockerGate()
  hanging.hang()
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  hosts = []
  for (let done = 0; done < count; done += 10) {
    const names = Array.from({ length: 10 }, (_, index) => `dead-${done + index}`)
    hosts.push(
      ...(await Promise.all(names.map((name) => enrolInProcess(place, running, token, name)))),
    )
  }
  ids = hosts.map(({ id }) => id).sort()
})

afterAll(async () => {
  stop.abort()
  await hanging.close()
  await place.remove()
})

async function expectAllNamed(error: string) {
  const paths = ['containers', 'images', 'networks', 'volumes'].map((kind) => `/${kind}?host=all`)
  for (const answer of await within(5000, () => Promise.all(paths.map(get)))) {
    expect(answer.status).toBe(200)
    const { items, unreachable_hosts } = answer.json
    expect(unreachable_hosts.map((one: Json) => one.host_id).sort()).toEqual(ids)
    expect(new Set(unreachable_hosts.map((one: Json) => Object.keys(one).join()))).toEqual(
      new Set(['host_id,error']),
    )
    expect(unreachable_hosts[0].error).toContain(error)
    expect(items.every((one: Json) => one.host_id === 'local')).toBe(true)
  }
  const images = await get('/images?host=all')
  const tags = images.json.items.flatMap((one: Json) => one.tags)
  expect(tags).toContain('busybox:latest')
}

test('names a hundred offline hosts within five seconds', async () => {
  await expectAllNamed('offline')
  const one = await within(5000, () => get(`/images?host=${ids[0]}`))
  expect([one.status, one.json.error]).toEqual([500, expect.stringContaining('offline')])
})

test('names a hundred hosts whose Engines hang within five seconds', async () => {
  for (const { run } of hosts) void run({ path: hanging.transport.socketPath }, stop.signal)
  const connected = async () => {
    const seen = running.lines.filter((line) => line.includes('"an agent connected"'))
    return seen.length
  }
  await until(connected, (agents) => agents >= count, 60)
  await expectAllNamed('did not respond within 3 s')
})

test('hosts that hang do not delay calls to other hosts', async () => {
  const slow = get('/containers?host=all')
  const pulls = ids.slice(0, 20).map((host) => {
    const body = { image: 'busybox:latest', host }
    return api(running, 'POST', '/images/pull', { token, body })
  })
  await within(1000, () => get('/containers'))
  await within(1000, () => get('/health'))
  await within(1000, () => get('/images?host=local'))
  expect((await slow).json.unreachable_hosts).toHaveLength(count)
  for (const { status, json } of await Promise.all(pulls)) {
    expect([status, json.error]).toEqual([
      500,
      expect.stringContaining('did not respond within 5 s'),
    ])
  }
})
