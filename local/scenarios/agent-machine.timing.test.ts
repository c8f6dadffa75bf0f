/** Timing: cuts the power and pulls the cable of a machine, and saturates its line. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningAgent, untilHostStatus } from '../harness/agent.ts'
import { type FarMachine, startFarMachine } from '../harness/far-machine.ts'
import { type OpenFeed, openFeed } from '../harness/feeds.ts'
import type { Machine } from '../harness/machine.ts'
import { api, type Running, until } from '../harness/service.ts'

const name = `machine${randomBytes(4).toString('hex')}`
let far: FarMachine
let machine: Machine
let running: Running
let token: string
let host: FarMachine['host']
let agent: RunningAgent
let events: OpenFeed

const get = async (path: string) => (await api(running, 'GET', path, { token })).json
const deploy = async () =>
  (await api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })).json
const feed = (path: string) => openFeed(`${running.feeds}/api/v1/ws${path}`, { token })
const eventsOf = async (kind: string) =>
  events.messages.map((one) => JSON.parse(String(one))).filter((one) => one.kind === kind)
const compose = (tag: string) => `services:
  a: {image: 'busybox:latest', command: sleep 3600, init: true, restart: always, stop_grace_period: 1s, network_mode: none, environment: {TAG: ${tag}}}
`

beforeAll(async () => {
  far = await startFarMachine()
  machine = far.machine
  running = far.running
  token = far.token
  host = far.host
  agent = far.agent
  events = await feed('/events')
  const body = { name, host: host.id, compose: compose('one') }
  expect((await api(running, 'POST', '/stacks', { token, body })).status).toBe(201)
  expect(await deploy()).toMatchObject({ status: 'succeeded', error: null })
})

afterAll(() => far?.remove())

test('the agent, the Engine and the stacks are back after a reboot of the host', async () => {
  machine.powerOff()
  await until(
    () => eventsOf('host.offline'),
    ([one]) => one !== undefined,
    60,
  )
  expect(await get(`/hosts/${host.id}`)).toMatchObject({
    status: 'offline',
    error: expect.stringContaining('offline'),
  })
  await machine.boot()
  agent = far.startAgent()
  await untilHostStatus(running, token, host.id, 'online')
  const state = async () => (await get(`/stacks/${name}/status`))[0].state
  await until(state, (one) => one === 'running')
  expect(await deploy()).toMatchObject({ status: 'succeeded', steps: [] })
})

test('both ends detect a pulled cable, and the host returns when it is plugged in', async () => {
  const before = (await eventsOf('host.offline')).length
  machine.network.unplug()
  await until(
    () => eventsOf('host.offline'),
    (all) => all.length > before,
    120,
  )
  expect((await get(`/hosts/${host.id}`)).status).toBe('offline')
  await until(
    async () => agent.lines,
    (lines) => lines.includes('the connection ended'),
    120,
  )
  machine.network.plug()
  await untilHostStatus(running, token, host.id, 'online')
})

test('a saturated 1 Mbit/s line stays connected and lets a deploy and requests through', async () => {
  machine.network.rate(1000)
  const lines = agent.lines.length
  const flood = await feed(`/exec/${name}-a-1?host=${host.id}&cmd=cat&cmd=/dev/zero`)
  // Longer than the silence that ends a connection.
  const end = Date.now() + 25_000
  const body = { compose: compose('two') }
  expect((await api(running, 'PUT', `/stacks/${name}`, { token, body })).status).toBe(200)
  expect(await deploy()).toMatchObject({ status: 'succeeded', error: null })
  const again = await feed(`/exec/${name}-a-1?host=${host.id}&cmd=cat&cmd=/dev/zero`)
  const bytes = () =>
    [flood, again].flatMap(({ messages }) => messages).reduce((sum, one) => sum + one.length, 0)
  const transfers = async () => {
    expect(await get(`/hosts/${host.id}`)).toMatchObject({ status: 'online', error: null })
    return bytes()
  }
  // All the time the line carries the flood.
  await until(transfers, (sum) => Date.now() > end && sum > 1_500_000, 120)
  expect(agent.lines.slice(lines)).toEqual([])
  for (const { ws } of [flood, again]) ws.terminate()
})

test('a host stays usable when its fast line drops to 1 Mbit/s during a backup', async () => {
  machine.network.rate()
  const script = 'truncate -s 100G /d/file'
  machine.docker('run', '--rm', '-v', 'bulk:/d', '--network', 'none', 'busybox', 'sh', '-c', script)
  const sources = [{ kind: 'volume', name: 'bulk' }]
  const target = { kind: 'local', path: 'bulk' }
  const body = { name: 'bulk', host: host.id, sources, target }
  const job = await api(running, 'POST', '/backup-jobs', { token, body })
  expect(job.status, JSON.stringify(job.json)).toBe(201)
  const run = await api(running, 'POST', `/backup-jobs/${job.json.id}/run`, { token })
  await until(
    () => get(`/backup-runs/${run.json.id}`),
    ({ progress }) => progress.bytes > 200_000_000,
    120,
  )
  machine.network.rate(1000)
  const look = () => get(`/containers/${name}-a-1/logs?host=${host.id}&tail=1`)
  await until(look, Array.isArray, 120)
  for (let times = 0; times < 5; times += 1) expect(await look()).toEqual([])
  // The answers did not wait for the end of the backup.
  expect((await get(`/backup-runs/${run.json.id}`)).status).toBe('running')
})
