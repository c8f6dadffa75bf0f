/** Timing: kills agents and the service, and suspends an agent. */
import { cpSync, existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { enrolHost, type RunningAgent, startAgent, untilHostStatus } from '../harness/agent.ts'
import { openFeed } from '../harness/feeds.ts'
import { freePort } from '../harness/free-port.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const agentPort = await freePort()
const place = newPlace({ SERVICE_AGENT_PORT: String(agentPort) })
const name = unique('remote')

let running: Running
let token: string
let host: { id: string; directory: string }
let agent: RunningAgent

const get = (path: string) => api(running, 'GET', path, { token })
const post = (path: string, body?: unknown) => api(running, 'POST', path, { token, body })

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  host = await enrolHost(place, running, token, { name: 'far', tags: ['lab'] })
  agent = startAgent(place, host.directory)
})

afterAll(async () => {
  await place.remove()
  // The host was revoked, so nothing there can be removed through the service.
  await removeFromEngine(name)
})

test('an enrolled agent connects, and its host shows the Engine’s version', async () => {
  const far = await untilHostStatus(running, token, host.id, 'online')
  expect(far).toMatchObject({ kind: 'agent', tags: ['lab'], agent: { version: '0.1.0' } })
  expect(far.engine.version).toBe(docker('version', '-f', '{{.Server.Version}}'))
  const days = (Date.parse(far.agent.certificate_expires_at) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(30)
})

test('deploys, runs, reads and stops a stack on the host, with its files', async () => {
  const compose = `services:
  web:
    image: busybox:latest
    command: sh -c 'cat /conf/hello; exec sleep 3600'
    init: true
    stop_grace_period: 1s
    volumes: ["./conf:/conf"]
`
  const made = await post('/stacks', { name, host: host.id, compose })
  expect([made.status, made.json.host]).toEqual([201, host.id])
  const deployed = await post(`/stacks/${name}/deploy`, {})
  expect([deployed.json.status, deployed.json.error]).toEqual(['succeeded', null])
  expect(existsSync(join(place.directory, 'stacks', name, 'compose.yaml'))).toBe(true)
  const [service] = (await get(`/stacks/${name}/status`)).json
  expect([service.service, service.state]).toEqual(['web', 'running'])
  const listed = (await get(`/containers?host=${host.id}`)).json
  expect(listed.find((one: Json) => one.stack === name)).toMatchObject({ host_name: 'far' })
  const again = await post(`/stacks/${name}/deploy`, {})
  expect(again.json.steps).toEqual([])
  expect((await post(`/stacks/${name}/stop`)).json.status).toBe('stopped')
})

test('a host without its agent is offline, and lists over all hosts name it', async () => {
  await agent.end('SIGKILL')
  await until(
    async () => (await get(`/hosts/${host.id}`)).json.status,
    (status) => status === 'offline',
    60,
  )
  const all = (await get('/containers?host=all')).json
  expect(all.unreachable_hosts).toEqual([
    { host_id: host.id, host_name: expect.any(String), error: expect.stringContaining('offline') },
  ])
  expect((await get(`/containers?host=${host.id}`)).status).toBe(500)
  agent = startAgent(place, host.directory)
  await untilHostStatus(running, token, host.id, 'online')
})

test('the agent reconnects to a service that was killed during a deploy, and the deploy ends', async () => {
  const ids = () => docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
  expect(ids()).toBe('')
  const begun = await post(`/stacks/${name}/deploy?wait=false`, {})
  await until(
    async () => ids(),
    (found) => found !== '',
  )
  running.child.kill('SIGKILL')
  await running.ended
  running = await startIn(place)
  await untilHostStatus(running, token, host.id, 'online')
  const read = async () => (await get(`/stacks/${name}/deployments/${begun.json.id}`)).json
  const ended = await until(read, (deployment) => deployment.status !== 'running')
  expect(ended).toMatchObject({ status: 'succeeded', error: null })
  expect((await get(`/stacks/${name}/status`)).json[0].state).toBe('running')
})

test('a deploy that was answered with 202 and survived a kill has one end row', async () => {
  const rows: Json[] = (await get('/audit?action=stacks.deploy')).json
  const ends = rows.filter((row) => row.continues !== null)
  expect(ends).toMatchObject([
    { outcome: 'succeeded', username: 'admin', subject: { kind: 'stacks', id: name, name } },
  ])
  expect(rows.map(({ id }) => id)).toContain(ends[0].continues)
})

test('a copied machine is refused and named while the original is alive, and gets in when it is not', async () => {
  const events = await openFeed(`${running.feeds}/api/v1/ws/events`, { token })
  const copied = join(place.directory, 'copied')
  cpSync(host.directory, copied, { recursive: true })
  const begun = agent.lines.length
  const copy = startAgent(place, copied)
  const refusal =
    'the service rejected the connection: another machine uses the certificate of this host: enrol this host again'
  const refusals = () => copy.lines.filter((line) => line === refusal).length
  await until(
    async () => refusals(),
    (count) => count > 2,
  )
  const warning = `another machine uses the certificate of this host (${hostname()}, 127.0.0.1): enrol one of them again`
  const far = (await get(`/hosts/${host.id}`)).json
  expect([far.status, far.error, far.warning]).toEqual(['online', null, warning])
  const listed = await cli(place, ['hosts', 'list', '--server', running.url, '--token', token])
  expect(listed.stdout).toContain(warning)
  const duplicateEvents = () =>
    events.messages
      .map((one) => JSON.parse(String(one)))
      .filter(({ kind }) => kind === 'host.agent.duplicate')
  await until(
    async () => duplicateEvents(),
    (all) => all.length > 0,
  )
  expect(duplicateEvents()).toMatchObject([{ host_id: host.id, details: { address: '127.0.0.1' } }])
  const message = 'another machine uses the certificate of a host'
  expect(running.lines.filter((line) => line.includes(message))).toHaveLength(1)
  expect(agent.lines.slice(begun)).toEqual([])
  await copy.end()

  agent.child.kill('SIGSTOP')
  const again = startAgent(place, copied)
  await until(
    async () => (await get(`/containers?host=${host.id}`)).status,
    (status) => status === 200 && again.lines.length === 1,
    60,
  )
  await again.end()
  await agent.end('SIGKILL')
  agent = startAgent(place, host.directory)
  await untilHostStatus(running, token, host.id, 'online')
})

test('a revoked host is disconnected at once, its certificate is rejected, its feeds end', async () => {
  const listed = (await get(`/containers?host=${host.id}`)).json
  const { id } = listed.find((one: Json) => one.stack === name)
  const feeds = await Promise.all(
    [`logs/${id}?host=${host.id}`, `stats/${id}?host=${host.id}`, `stacks/${name}/logs`].map(
      (path) => openFeed(`${running.feeds}/api/v1/ws/${path}`, { token }),
    ),
  )
  const exec = await openFeed(
    `${running.feeds}/api/v1/ws/exec/${id}?host=${host.id}&cmd=sleep&cmd=60`,
    { token },
  )
  expect((await api(running, 'DELETE', `/hosts/${host.id}`, { token })).status).toBe(204)
  const ends = await Promise.all([...feeds, exec].map(({ ended }) => ended))
  expect(ends).toEqual(
    ends.map(() => ({ code: 1008, reason: 'host-revoked: the host was revoked' })),
  )
  await until(
    async () => agent.lines.at(-1),
    (line) => line !== undefined && !line.startsWith('connected'),
    60,
  )
  expect((await get(`/hosts/${host.id}`)).json.status).toBe('revoked')
  const refused = await get(`/containers?host=${host.id}`)
  expect([refused.status, refused.headers.get('x-error-reason')]).toEqual([500, 'host-revoked'])
  expect(running.lines.filter((line) => line.includes('"level":"ERROR"'))).toEqual([])
})

test('a host that is gone is deleted with exactly the stacks that are named', async () => {
  const remove = (query = '') => api(running, 'DELETE', `/hosts/${host.id}${query}`, { token })
  const listed = await remove('?force=true')
  expect([listed.status, listed.json.error]).toEqual([
    409,
    `host far: stacks are placed on it: ${name}`,
  ])
  expect((await remove('?force=true&stacks=other')).status).toBe(409)
  expect((await remove(`?force=true&stacks=${name}`)).status).toBe(204)
  expect((await get(`/hosts/${host.id}`)).status).toBe(404)
  expect((await get(`/stacks/${name}`)).status).toBe(404)
})
