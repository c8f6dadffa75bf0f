import { setMaxListeners } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { enrolInProcess } from '../harness/agent.ts'
import { expectAnsweredFirst } from '../harness/answered-first.ts'
import { type DockerGate, dockerGate } from '../harness/docker-gate.ts'
import { freePort } from '../harness/free-port.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const count = 100
const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
const stop = new AbortController()
setMaxListeners(0, stop.signal)
/** A running container and a volume, so that no list of the local host is empty. */
const own = unique('fan-out')
/** Stands in for a hundred Engines. */
let hanging: DockerGate
let running: Running
let token: string
let hosts: Awaited<ReturnType<typeof enrolInProcess>>[]
let ids: string[]

const get = (path: string) => api(running, 'GET', path, { token })

beforeAll(async () => {
  docker('volume', 'create', own)
  docker('run', '--detach', '--init', '--name', own, 'busybox:latest', 'sleep', '600')
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
  await removeFromEngine(own)
  stop.abort()
  await hanging.close()
  await place.remove()
})

async function expectAllNamed(error: string) {
  const paths = ['containers', 'images', 'networks', 'volumes'].map((kind) => `/${kind}?host=all`)
  for (const answer of await Promise.all(paths.map(get))) {
    expect(answer.status).toBe(200)
    const { items, unreachable_hosts } = answer.json
    expect(unreachable_hosts.map((one: Json) => one.host_id).sort()).toEqual(ids)
    expect(new Set(unreachable_hosts.map((one: Json) => Object.keys(one).join()))).toEqual(
      new Set(['host_id,host_name,error']),
    )
    expect(unreachable_hosts[0].error).toContain(error)
    expect(items.map((one: Json) => one.host_id)).toContain('local')
    expect(items.filter((one: Json) => ids.includes(one.host_id))).toEqual([])
  }
  const images = await get('/images?host=all')
  const tags = images.json.items.flatMap((one: Json) => one.tags)
  expect(tags).toContain('busybox:latest')
}

test('names a hundred offline hosts', async () => {
  await expectAllNamed('offline')
  const one = await get(`/images?host=${ids[0]}`)
  expect([one.status, one.json.error]).toEqual([500, expect.stringContaining('offline')])
})

test('names a hundred hosts whose Engines hang', async () => {
  for (const { run } of hosts) void run({ path: hanging.transport.socketPath }, stop.signal)
  const connected = async () => {
    const seen = running.lines.filter((line) => line.includes('"an agent connected"'))
    return seen.length
  }
  await until(connected, (agents) => agents >= count, 120)
  await expectAllNamed('did not respond within 3 s')
})

test('hosts that hang do not delay calls to other hosts', async () => {
  const all = async () => {
    expect((await get('/containers?host=all')).json.unreachable_hosts).toHaveLength(count)
  }
  const pull = async (host: string) => {
    const body = { image: 'busybox:latest', host }
    const { status, json } = await api(running, 'POST', '/images/pull', { token, body })
    const late = expect.stringContaining('did not respond within 5 s')
    expect([status, json.error]).toEqual([500, late])
  }
  const slow = () => [all(), ...ids.slice(0, 20).map(pull)]
  const answers = await expectAnsweredFirst(slow, () =>
    Promise.all(['/containers', '/health', '/images?host=local'].map(get)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})
