import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { enrolHost, hostBecomes, type RunningAgent, startAgent } from '../harness/agent.ts'
import { docker } from '../harness/docker.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'

const agentPort = await freePort()
const place = newPlace({ SERVICE_AGENT_PORT: String(agentPort) })
const name = `remote${process.pid}`

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
  const own = ['--filter', `label=com.docker.compose.project=${name}`]
  const ids = docker('ps', '-aq', ...own)
  if (ids) docker('rm', '-f', ...ids.split('\n'))
  const networks = docker('network', 'ls', '-q', ...own)
  if (networks) docker('network', 'rm', ...networks.split('\n'))
})

test('an enrolled agent connects, and its host shows the Engine’s version', async () => {
  const far = await hostBecomes(running, token, host.id, 'online')
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
  expect(listed.find((one: any) => one.stack === name)).toMatchObject({ host_name: 'far' })
  const again = await post(`/stacks/${name}/deploy`, {})
  expect(again.json.steps).toEqual([])
  expect((await post(`/stacks/${name}/stop`)).json.status).toBe('stopped')
})

test('a host is offline within a second of losing its agent, and lists over all hosts name it', async () => {
  await agent.end('SIGKILL')
  await until(
    async () => (await get(`/hosts/${host.id}`)).json.status,
    (status) => status === 'offline',
    1,
  )
  const all = (await get('/containers?host=all')).json
  expect(all.unreachable_hosts).toEqual([
    { host_id: host.id, error: expect.stringContaining('offline') },
  ])
  expect((await get(`/containers?host=${host.id}`)).status).toBe(500)
  agent = startAgent(place, host.directory)
  await hostBecomes(running, token, host.id, 'online')
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
  await hostBecomes(running, token, host.id, 'online')
  const read = async () => (await get(`/stacks/${name}/deployments/${begun.json.id}`)).json
  const ended = await until(read, (deployment) => deployment.status !== 'running')
  expect(ended).toMatchObject({ status: 'succeeded', error: null })
  expect((await get(`/stacks/${name}/status`)).json[0].state).toBe('running')
})

test('a revoked host is disconnected at once, and its certificate is rejected', async () => {
  expect((await api(running, 'DELETE', `/hosts/${host.id}`, { token })).status).toBe(204)
  await until(
    async () => agent.lines.at(-1),
    (line) => line !== undefined && !line.startsWith('connected'),
    5,
  )
  expect((await get(`/hosts/${host.id}`)).json.status).toBe('revoked')
  expect((await get(`/containers?host=${host.id}`)).status).toBe(500)
})
