import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { enrolHost, type RunningAgent, startAgent, untilHostStatus } from '../harness/agent.ts'
import { freePort } from '../harness/free-port.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const agentPort = await freePort()
const place = newPlace({ SERVICE_AGENT_PORT: String(agentPort) })
const second = { ...place, env: { ...place.env, SERVICE_AGENT_PORT: '0' } }
const name = unique('alerts')

let processes: [Running, Running]
let token: string
let far: { id: string; directory: string }
let agent: RunningAgent

const get = async (path: string, from = 0) =>
  (await api(present(processes[from]), 'GET', path, { token })).json
const post = async (path: string, body: unknown) => {
  const made = await api(processes[0], 'POST', path, { token, body })
  if (made.status >= 300) throw new Error(JSON.stringify(made.json))
}
/** Returns the states of a rule's events about a subject, oldest first. */
const statesOf = async (rule: string, subject: string) =>
  ((await get('/alert-events')) as Json[])
    .filter((event) => event.rule_name === rule && event.subject.name === subject)
    .map(({ state }) => state)
    .reverse()
const untilStates = (rule: string, subject: string, ...wanted: string[]) =>
  until(
    () => statesOf(rule, subject),
    (states) => states.join() === wanted.join(),
  )

beforeAll(async () => {
  const first = await startIn(place)
  token = await setUpAdmin(place, first)
  const body = { 'metrics.sample_seconds': 1 }
  await api(first, 'PUT', '/settings', { token, body })
  processes = [first, await startIn(second)]
  far = await enrolHost(place, first, token, { name: 'far' })
  agent = startAgent(place, far.directory)
  await untilHostStatus(first, token, far.id, 'online')
  // A loop that uses half a processor until it is stopped.
  const script = 'while [ ! -e /tmp/rest ]; do :; done; exec sleep 3600'
  docker('run', '-d', '--name', name, '--cpus', '0.5', 'busybox:latest', 'sh', '-c', script)
  const rule = { for_seconds: 0, cooldown_seconds: 0 }
  const match = { hosts: ['local'], containers: [name] }
  await post('/alert-rules', { ...rule, name: 'busy', metric: 'cpu_percent', threshold: 15, match })
  await post('/alert-rules', { ...rule, name: 'down', metric: 'container_down', match })
  await post('/alert-rules', { ...rule, name: 'host', metric: 'host_down' })
  const there = { hosts: ['far'], containers: [name] }
  await post('/alert-rules', { ...rule, name: 'far', metric: 'container_down', match: there })
})

afterAll(async () => {
  docker('rm', '-f', name)
  await place.remove()
})

test('a busy container fires once with two processes, and resolves when it is idle', async () => {
  await untilStates('busy', name, 'firing')
  const [alert] = (await get('/alerts', 1)).filter((one: Json) => one.rule_name === 'busy')
  expect(alert).toMatchObject({ state: 'firing', subject: { name, host_id: 'local' } })
  expect(alert.value).toBeGreaterThan(15)
  docker('exec', name, 'touch', '/tmp/rest')
  await untilStates('busy', name, 'firing', 'resolved')
})

test('every process and Prometheus report the usage of containers and hosts', async () => {
  const points = await get(`/containers/${name}/metrics`, 1)
  expect(points.some((one: Json) => one.cpu_percent > 15)).toBe(true)
  expect(points.at(-1)).toMatchObject({ pids: 1, memory: expect.any(Number) })
  const [host] = (await get('/hosts/local/metrics')).slice(-1)
  expect(host).toMatchObject({ online: true, memory: expect.any(Number) })
  expect(host.disk_percent).toBeGreaterThan(0)
  const [remote] = (await get(`/hosts/${far.id}/metrics`)).slice(-1)
  // The same disk, at another moment: other programs write to it.
  expect(remote.disk_percent).toBeCloseTo(host.disk_percent, 0)
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${processes[1].url}/api/v1/metrics`, { headers })
  expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  expect(await answer.text()).toMatch(
    new RegExp(
      `container_stacks_container_cpu_percent{host="local",container="${name}"} [\\d.]+\n`,
    ),
  )
})

test('a killed container is down until it runs again, a stopped one is not', async () => {
  docker('kill', name)
  await untilStates('down', name, 'firing')
  docker('start', name)
  await untilStates('down', name, 'firing', 'resolved')
  docker('stop', '-t', '0', name)
  const seen = (await get('/hosts/local/metrics')).length
  await until(
    async () => (await get('/hosts/local/metrics')).length,
    (count) => count > seen + 2,
  )
  expect(await statesOf('down', name)).toEqual(['firing', 'resolved'])
  docker('start', name)
})

test('a host without its agent fires host_down, and nothing about its containers', async () => {
  await agent.end('SIGKILL')
  await untilStates('host', 'far', 'firing')
  agent = startAgent(place, far.directory)
  await untilStates('host', 'far', 'firing', 'resolved')
  expect(await statesOf('host', 'local')).toEqual([])
  expect((await statesOf('far', name)).length % 2).toBe(0)
})

test('an alert whose processes are killed is sent once, and resolved by another process', async () => {
  docker('kill', name)
  const before = ['firing', 'resolved', 'firing']
  await untilStates('down', name, ...before)
  for (const { child } of processes) child.kill('SIGKILL')
  await Promise.all(processes.map(({ ended }) => ended))
  processes = [await startIn(place), await startIn(second)]
  const seen = (await get('/hosts/local/metrics')).length
  await until(
    async () => (await get('/hosts/local/metrics')).length,
    (count) => count > seen + 1,
    // The leases of the killed process must expire first.
    90,
  )
  expect(await statesOf('down', name)).toEqual(before)
  docker('start', name)
  await untilStates('down', name, ...before, 'resolved')
})
