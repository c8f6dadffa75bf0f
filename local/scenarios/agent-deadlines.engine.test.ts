import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { transportFrom } from '../../adapters/docker/transport/connect.ts'
import { fileAuthority } from '../../adapters/node/keys/authority.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { type OpenEngines, openEngines } from '../../adapters/sidecar/agents/engines.ts'
import { reachAgents } from '../../adapters/sidecar/agents/reach.ts'
import { type AgentService, serveAgents } from '../../adapters/sidecar/agents/serve.ts'
import { cleanEngine, removeImages } from '../../adapters/testing/contract/engine-clean.ts'
import { startContainer as runContainer } from '../../adapters/testing/contract/engine-world.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { enrolInProcess } from '../harness/agent.ts'
import { localEngine } from '../harness/engine.ts'
import { type FeedWorld, feedWorld } from '../harness/feeds.ts'
import { publishImage, type Registry, startRegistry } from '../harness/registry.ts'
import { api, until } from '../harness/service.ts'
import type { World } from '../harness/world.ts'

/**
 * The timeout for calls to the Engine, for opening streams and for requests, in milliseconds. Long
 * enough for a busy machine. What continues must outlast it.
 */
const deadline = 6000
const directory = mkdtempSync(join(tmpdir(), 'container-stacks-deadlines-'))
const project = `deadlines-${randomBytes(4).toString('hex')}`
const engine = localEngine()
const stop = new AbortController()

let agents: AgentService
let engines: OpenEngines
let world: FeedWorld
let registry: Registry
let far: string
let token: string

const url = () => ({ url: `http://127.0.0.1:${world.port}` })

beforeAll(async () => {
  registry = await startRegistry()
  const authority = fileAuthority(directory, systemClock)
  const addresses = {
    base: () => url().url,
    agents: () => `127.0.0.1:${agents.port}`,
    stacksDirectory: '/opt/stacks',
  }
  const base = memoryPorts({ clock: systemClock, authority, addresses })
  const secret = randomBytes(16).toString('hex')
  const host = '127.0.0.1'
  const serverIdentity = () => authority.serverIdentity()
  const internal = { port: 0, host, secret }
  agents = await serveAgents({ processId: 'p1', port: 0, host, internal, serverIdentity }, base)
  const reach = reachAgents(agents.hub, secret, base)
  engines = openEngines(localHost, process.env, { ...base, reach }, { deadline })
  const ports = { ...base, engines } as unknown as World['ports']
  world = await feedWorld({ ports, limits: { opening: deadline }, requests: { handler: deadline } })
  token = await world.token('admin')
  const agent = await enrolInProcess({ directory }, url(), token, 'far')
  void agent.run({ path: '/var/run/docker.sock' }, stop.signal)
  far = agent.id
  await until(
    async () => agents.hub.find(far),
    (connection) => connection !== undefined,
  )
})

afterAll(async () => {
  stop.abort()
  await removeImages(transportFrom(process.env), project)
  await world.close(AbortSignal.abort())
  await Promise.all([engines.close(), agents.close(), engine.close(), registry.close()])
  rmSync(directory, { recursive: true })
})

/** Publishes an image whose layers the registry sends slowly until `open` is called. */
async function heldImage(name: string) {
  const file = { path: 'made', content: randomBytes(4096), mode: 0o644 }
  const labels = { 'com.docker.compose.project': project }
  await publishImage(registry, name, '1', await tarOf([file]), labels)
  let isOpen = false
  const open = () => {
    isOpen = true
  }
  const held = { asked: 0, left: 0 }
  const server = createServer((incoming, answer) => {
    incoming.on('error', () => {})
    answer.on('error', () => {})
    const [host, port] = registry.address.split(':')
    const { method, url: path = '', headers } = incoming
    request({ host, port, method, path, headers }, async (real) => {
      answer.writeHead(real.statusCode ?? 500, real.headers).flushHeaders()
      if (path.includes('/blobs/')) {
        held.asked += 1
        answer.once('close', () => {
          held.left += 1
        })
        await trickle(real, answer, () => isOpen)
      } else real.pipe(answer)
    }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    open()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { image: `127.0.0.1:${port}/${name}:1`, held, open }
}

/** Forwards a few bytes at a time until it is open. */
async function trickle(from: IncomingMessage, to: ServerResponse, isOpen: () => boolean) {
  for await (const chunk of from) {
    let sent = 0
    for (; !isOpen() && !to.destroyed && sent < chunk.length; sent += 2) {
      to.write(chunk.subarray(sent, sent + 2))
      await systemClock.sleep(100, stop.signal)
    }
    to.write(chunk.subarray(sent))
  }
  to.end()
}

test('a followed log and a pull may outlast every timeout', async () => {
  const own = `${project}-log`
  onTestFinished(() => cleanEngine(engine, own))
  const name = await runContainer(engine, own, 'one', 'while :; do echo tick; sleep 0.2; done')
  const feed = await world.open(`/ws/logs/${name}?host=${far}`)
  const { image, held, open } = await heldImage('team/slow')
  const pulling = api(url(), 'POST', '/images/pull', { token, body: { image, host: far } })
  const asked = async () => held.asked > 0
  await until(asked, (yes) => yes)
  const begun = Date.now()
  let last = { data: '', time: '' }
  while (Date.parse(last.time || '0') < begun + deadline + 1000) last = await feed.json()
  expect(last.data).toMatch(/^(tick\n)+$/)
  expect(held.left).toBe(0)
  open()
  const { status, json } = await pulling
  expect([status, json.tags, json.host_id]).toEqual([200, [image], far])
  feed.ws.terminate()
})

test('a client that disconnects cancels its pull, which is audited', async () => {
  const { image, held } = await heldImage('team/left')
  const gone = new AbortController()
  const body = JSON.stringify({ image, host: far })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const asked = fetch(`${url().url}/api/v1/images/pull`, {
    method: 'POST',
    headers,
    body,
    signal: gone.signal,
  })
  const refused = expect(asked).rejects.toThrow()
  const asks = (count: number) => count === 2
  await until(async () => held.asked, asks)
  gone.abort()
  await refused
  // This version of the Engine cancels a layer when more of its bytes arrive, and an image's
  // configuration only once it is complete.
  const leaves = async () => held.left > 0
  await until(leaves, (yes) => yes)
  const written = async () => (await world.ports.audit.list({ limit: 1 })).rows[0]
  const row = await until(written, (one) => one?.outcome !== 'begun')
  expect(row).toMatchObject({
    action: 'images.pull',
    outcome: 'failed',
    subject: { kind: 'images', id: image },
    hosts: [far],
  })
})
