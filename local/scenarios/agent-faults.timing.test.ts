/** Timing: freezes, resets and slows down the lines of hosts, and waits for silence of 20 s. */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { enrolHost, setAgentEndpoint, startAgent, untilHostStatus } from '../harness/agent.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { type FaultProxy, startFaultProxy } from '../harness/fault-proxy.ts'
import { type OpenFeed, openFeed } from '../harness/feeds.ts'
import { freePort } from '../harness/free-port.ts'
import { publishImage, type Registry, startRegistry } from '../harness/registry.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'

// Each host has its own connection, so most faults can run concurrently.
vi.setConfig({ maxConcurrency: 10 })

const agentPort = await freePort()
const place = newPlace({ SERVICE_AGENT_PORT: String(agentPort) })
const linesOf = async (...words: string[]) =>
  (await askDocker(...words)).split('\n').filter(Boolean)
const stacks: string[] = []
const proxies: FaultProxy[] = []
let running: Running
let token: string
let registry: Registry
let events: OpenFeed

beforeAll(async () => {
  registry = await startRegistry()
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  events = await openFeed(`${feedUrl()}/events`, { token })
})

afterAll(async () => {
  await place.remove()
  await Promise.all([...proxies.map((proxy) => proxy.close()), registry.close()])
  for (const name of stacks) await removeFromEngine(name)
})

const feedUrl = () => `${running.feeds}/api/v1/ws`
const get = async (path: string) => (await api(running, 'GET', path, { token })).json
const post = (path: string, body?: unknown) => api(running, 'POST', path, { token, body })

/** Adds a host whose agent connects through a fault proxy, and a stack on it. */
async function hostWith(compose = '') {
  const proxy = await startFaultProxy(agentPort)
  proxies.push(proxy)
  const name = `fault-${randomBytes(4).toString('hex')}`
  const { id, directory } = await enrolHost(place, running, token, { name })
  await setAgentEndpoint(directory, `127.0.0.1:${proxy.port}`)
  const agent = startAgent(place, directory)
  await untilHostStatus(running, token, id, 'online')
  if (compose) {
    stacks.push(name)
    const made = await post('/stacks', { name, host: id, compose })
    expect(made.json).toMatchObject({ name })
  }
  const error = async () => (await get(`/hosts/${id}`)).error
  const told = async (kind: string) =>
    events.messages
      .map((one) => JSON.parse(String(one)))
      .filter((one) => one.kind === kind && one.host_id === id)
  return { id, name, proxy, agent, error, told }
}

const sleeper = (service: string, more = '') =>
  `  ${service}: {image: 'busybox:latest', command: sleep 3600, init: true, stop_grace_period: 1s, network_mode: none${more}}\n`
const deploy = async (name: string) => (await post(`/stacks/${name}/deploy`, {})).json
const states = async (name: string) => {
  const own = `label=com.docker.compose.project=${name}`
  return (await linesOf('ps', '-a', '--filter', own, '--format', '{{.Names}} {{.State}}')).sort()
}

const exec = (name: string, host: string, cmd: string[]) => {
  const words = cmd.map((word) => `cmd=${encodeURIComponent(word)}`).join('&')
  return openFeed(`${feedUrl()}/exec/${name}?host=${host}&${words}`, { token })
}
/** Returns the processes in a container, or an empty string if the Engine cannot be asked. */
const processes = (container: string) =>
  askDocker('exec', container, 'ps', '-o', 'args').catch(() => '')

test.concurrent('both sides detect a half-open connection and end its calls', async () => {
  const { proxy, error, agent, told, id, name } = await hostWith(`services:\n${sleeper('a')}`)
  expect(await deploy(name)).toMatchObject({ status: 'succeeded' })
  const feed = await exec(`${name}-a-1`, id, ['sleep', '1004'])
  proxy.freeze()
  await until(
    () => told('host.offline'),
    ([one]) => one !== undefined,
    120,
  )
  expect(await error()).toContain('agent is offline')
  await until(
    async () => agent.lines,
    (lines) => lines.includes('the connection ended'),
    120,
  )
  expect(await feed.ended).toMatchObject({ code: 1011 })
  const [outlived] = await until(
    () => told('container.exec.outlive'),
    (all) => all.length > 0,
    60,
  )
  expect(outlived.subject.kind).toBe('container')
  proxy.thaw()
  await untilHostStatus(running, token, id, 'online')
  await until(
    () => processes(`${name}-a-1`),
    (all) => all.includes('3600') && !all.includes('1004'),
    60,
  )
})

test.concurrent('deploys a stack and transfers data with 200 ms of latency', async () => {
  const { proxy, id, name } = await hostWith(`services:\n${sleeper('a')}`)
  proxy.latency(100)
  const { status, error } = await deploy(name)
  expect([status, error]).toEqual(['succeeded', null])
  const feed = await exec(`${name}-a-1`, id, ['head', '-c', '16000000', '/dev/zero'])
  await feed.ended
  const bytes = feed.messages.reduce(
    (sum, one) => sum + (one[0] === (1 as never) ? one.length - 1 : 0),
    0,
  )
  expect(bytes).toBe(16_000_000)
})

test.concurrent('a deploy on a lost connection fails with the name of the host, and the next one succeeds', async () => {
  const chain = ['a', 'b', 'c', 'd'].map((one, at, all) =>
    sleeper(one, at > 0 ? `, depends_on: [${all[at - 1]}]` : ''),
  )
  const { proxy, id, name } = await hostWith(`services:\n${chain.join('')}`)
  const deploying = deploy(name)
  await until(
    async () => (await states(name)).length,
    (count) => count > 0,
  )
  proxy.freeze()
  proxy.reset()
  const cut = await deploying
  expect(cut.status).toBe('failed')
  expect(cut.error).toContain(`host ${name}`)
  expect((await get(`/stacks/${name}`)).status).not.toBe('running')
  proxy.thaw()
  await untilHostStatus(running, token, id, 'online')
  expect(await deploy(name)).toMatchObject({ status: 'succeeded', error: null })
  expect(await states(name)).toEqual(['a', 'b', 'c', 'd'].map((one) => `${name}-${one}-1 running`))
  expect((await deploy(name)).steps).toEqual([])
})

test.concurrent('a pull on a lost connection fails with the name of the host, and the next deploy pulls', async ({
  onTestFinished,
}) => {
  const slow = await startFaultProxy(Number(registry.address.split(':')[1]))
  proxies.push(slow)
  slow.rate(100_000)
  const layer = await tarOf([{ path: 'data', content: randomBytes(1_000_000), mode: 0o644 }])
  await publishImage(registry, 'cut', 'one', layer)
  const image = `127.0.0.1:${slow.port}/cut:one`
  onTestFinished(async () => {
    await askDocker('rmi', '-f', image)
  })
  const { proxy, id, name } = await hostWith(
    `services:\n  a: {image: '${image}', command: x, network_mode: none}\n`,
  )
  const deploying = deploy(name)
  await until(
    async () => slow.size,
    (open) => open > 0,
  )
  proxy.freeze()
  proxy.reset()
  const cut = await deploying
  expect(cut.status).toBe('failed')
  expect(cut.error).toMatch(new RegExp(`pull.*host ${name}`, 'i'))
  slow.rate()
  proxy.thaw()
  await untilHostStatus(running, token, id, 'online')
  const { steps } = await deploy(name)
  expect(steps.find((one: Json) => one.action === 'pull')).toMatchObject({ status: 'done' })
})

const ended = (run: string) => untilRunEnded(running, token, run, 120)
const inVolume = (volume: string, script: string) =>
  askDocker('run', '--rm', '-v', `${volume}:/data`, 'busybox', 'sh', '-c', script)
const textIn = (volume: string) => inVolume(volume, 'cat /data/file')
const volumesLike = (name: string) => linesOf('volume', 'ls', '-q', '--filter', `name=${name}`)
const helpersOf = (volume: string) => linesOf('ps', '-aq', '--filter', `volume=${volume}`)
/**
 * Returns what the service created on the host for volumes with this name, including helper
 * containers.
 */
const leftOf = async (volume: string) => [
  ...(await volumesLike(volume)).filter((one) => one !== volume),
  ...(await helpersOf(volume)),
]

/** Creates a volume with 30 MB of incompressible data on a new host, and a job for it. */
async function volumeJob(onTestFinished: (end: () => Promise<void>) => void) {
  const host = await hostWith()
  const { id, name } = host
  const script = 'echo orders > /data/file; dd if=/dev/urandom of=/data/noise bs=1000000 count=30'
  await inVolume(name, script)
  onTestFinished(() => removeFromEngine(name))
  const sources = [{ kind: 'volume', name }]
  const job = await post('/backup-jobs', {
    name,
    host: id,
    sources,
    target: { kind: 'local', path: name },
  })
  expect(job.status, JSON.stringify(job.json)).toBe(201)
  const back = async () => {
    host.proxy.mend()
    await untilHostStatus(running, token, id, 'online')
  }
  const run = async () => {
    const begun = await post(`/backup-jobs/${job.json.id}/run`)
    expect(begun.status, JSON.stringify(begun.json)).toBe(202)
    return ended(begun.json.id)
  }
  return { ...host, back, run }
}
test.concurrent('a backup on a lost connection fails with the name of the host and leaves nothing, and the next one succeeds', async ({
  onTestFinished,
}) => {
  const { proxy, name, back, run } = await volumeJob(onTestFinished)
  void proxy.cutAfter(8_000_000).then(() => proxy.refuse())
  const cut = await run()
  expect([cut.status, cut.error]).toEqual(['failed', expect.stringContaining(name)])
  expect(readdirSync(join(present(place.env.SERVICE_DATA_DIR), 'backups', name))).toEqual([])
  await back()
  const next = await run()
  expect([next.status, next.error]).toEqual(['succeeded', null])
  await until(
    () => leftOf(name),
    (left) => left.length === 0,
    60,
  )
})

test.concurrent('a restore on a lost connection fails with the name of the host, keeps the data, and is cleaned up later', async ({
  onTestFinished,
}) => {
  const { proxy, name, back, run } = await volumeJob(onTestFinished)
  const whole = await run()
  expect(whole.error).toBeNull()
  await inVolume(name, 'echo newer > /data/file')
  void proxy.cutAfter(8_000_000).then(() => proxy.refuse())
  const begun = await post(`/backup-runs/${whole.id}/restore`, { overwrite: true })
  expect(begun.status, JSON.stringify(begun.json)).toBe(202)
  const cut = await ended(begun.json.id)
  expect([cut.status, cut.error]).toEqual([
    'failed',
    expect.stringMatching(new RegExp(`host ${name}.*nothing was changed.*retried`)),
  ])
  expect(await textIn(name)).toBe('newer')
  expect((await leftOf(name)).length).toBeGreaterThan(0)
  await back()
  await until(
    () => leftOf(name),
    (left) => left.length === 0,
    60,
  )
  expect((await get(`/backup-runs/${cut.id}`)).error).toMatch(
    /later: everything is in its previous state/,
  )
  expect(await textIn(name)).toBe('newer')
  const again = await post(`/backup-runs/${whole.id}/restore`, { overwrite: true })
  expect((await ended(again.json.id)).error).toBeNull()
  expect(await textIn(name)).toBe('orders')
})

test.concurrent('both sides detect a reset, and the agent reconnects', async () => {
  const { proxy, error, agent, told, id } = await hostWith()
  proxy.freeze()
  proxy.reset()
  await until(error, (text) => /agent is offline/.test(text ?? ''), 60)
  await until(
    async () => agent.lines,
    (lines) => lines.includes('the connection ended'),
    60,
  )
  const [gone] = await until(
    () => told('host.offline'),
    ([one]) => one !== undefined,
    60,
  )
  proxy.thaw()
  await untilHostStatus(running, token, id, 'online')
  await until(
    () => told('host.online'),
    (all) => all.some(({ time }) => time >= gone.time),
    60,
  )
})

test.concurrent('a command on a lost connection closes with 1011 and leaves the host', async () => {
  const { proxy, id, name } = await hostWith(`services:\n${sleeper('a')}`)
  expect(await deploy(name)).toMatchObject({ status: 'succeeded' })
  const feed = await exec(`${name}-a-1`, id, ['sleep', '1003'])
  await until(
    () => processes(`${name}-a-1`),
    (all) => all.includes('1003'),
  )
  proxy.reset()
  expect(await feed.ended).toMatchObject({ code: 1011 })
  await until(
    () => processes(`${name}-a-1`),
    (all) => all.includes('3600') && !all.includes('1003'),
    60,
  )
})
