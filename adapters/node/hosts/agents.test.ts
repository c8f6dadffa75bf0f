import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import {
  type AddressInfo,
  connect as connectPlain,
  createServer,
  type Server,
  type Socket,
} from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, createServer as createTlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { enrolAgent, offerEnrolment } from '../../../functions/core/hosts/enrol.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import { startFaultProxy } from '../../../local/harness/fault-proxy.ts'
import { makeRequest } from '../../agent/csr.ts'
import { dial } from '../../agent/dial.ts'
import { serveConnection } from '../../agent/serve.ts'
import { hostAgent } from '../../sidecar/agents/host-agent.ts'
import { reachAgents } from '../../sidecar/agents/reach.ts'
import { type AgentService, serveAgents } from '../../sidecar/agents/serve.ts'
import { agentHost } from '../../testing/memory/hosts.ts'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { present } from '../../testing/present.ts'
import { fileAuthority, type OpenAuthority } from '../keys/authority.ts'
import { systemClock } from '../process/clock.ts'

const secret = 'a secret between the processes of a service'
const directory = mkdtempSync(join(tmpdir(), 'container-stacks-agents-'))
let authority: OpenAuthority
/** Replaces a Docker socket: it echoes what it receives. */
let docker: Server
let dockerPort: number

beforeAll(async () => {
  authority = fileAuthority(directory, systemClock)
  docker = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket))
  docker.on('connection', (socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => docker.listen(0, '127.0.0.1', resolve))
  dockerPort = (docker.address() as AddressInfo).port
})
afterAll(() => {
  docker.close()
  rmSync(directory, { recursive: true })
})

let ports: ReturnType<typeof newPorts>
const services: AgentService[] = []
const cuts: (() => void)[] = []

const newPorts = () => memoryPorts({ clock: systemClock, authority })
beforeEach(() => {
  ports = newPorts()
})
afterEach(async () => {
  for (const cut of cuts.splice(0)) cut()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

async function startService(processId = 'p1'): Promise<AgentService> {
  const internal = { port: 0, host: '127.0.0.1', secret }
  const serverIdentity = () => authority.serverIdentity()
  const service = await serveAgents(
    { processId, port: 0, host: '127.0.0.1', internal, serverIdentity },
    ports,
  )
  services.push(service)
  return service
}

/** Returns the credentials of an enrolled host. */
async function enrolled(id = 'nas') {
  if (!(await ports.hosts.find(id))) {
    const pending = { state: 'pending', serial: null, nextSerial: null } as const
    const agent = { ...pending, certificateExpiresAt: null }
    await ports.hosts.create({ ...agentHost(id), agent })
  }
  const { token } = await offerEnrolment(id, ports)
  const { key, request: csr } = await makeRequest()
  const { certificate } = await enrolAgent(token, csr, ports)
  const ca = await authority.certificate()
  return { hostId: id, endpoint: '', ca, certificate, key }
}

type Credentials = Awaited<ReturnType<typeof enrolled>>

/**
 * Connects an agent and waits until the service has it. `renewed` has the certificates that it was
 * told to store.
 */
async function connectAgent(
  service: AgentService,
  credentials: Credentials,
  { hostname = 'nas', port = dockerPort, instance = 'a' as string | null, via = service.port } = {},
) {
  const socket = await dial({ host: '127.0.0.1', port: via }, credentials)
  cuts.push(() => socket.destroy())
  let key = ''
  const renewed = { ...credentials }
  const ended = serveConnection(socket, {
    docker: { port, host: '127.0.0.1' },
    facts: () => ({ version: '1.0.0', hostname, ...(instance && { instance }) }),
    async requestCertificate() {
      const made = await makeRequest()
      key = made.key
      return made.request
    },
    async keepCertificate(certificate) {
      Object.assign(renewed, { certificate, key })
    },
  })
  return { socket, ended, renewed }
}

/** Waits until the call returns something truthy, and returns that. */
async function until<T>(ask: () => T | Promise<T>): Promise<NonNullable<Awaited<T>>> {
  for (;;) {
    const answer = await ask()
    if (answer) return answer as NonNullable<Awaited<T>>
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/**
 * Dials the agents' port. Returns the negotiated protocol, or undefined if the connection was
 * refused.
 */
function attempt(port: number, options: ConnectionOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: agentProtocol.serverName,
      ALPNProtocols: [agentProtocol.alpn],
      rejectUnauthorized: false,
      ...options,
    })
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(undefined))
    // In TLS 1.3 a client only learns after its handshake whether the server accepted its
    // certificate.
    socket.on('data', (chunk) => resolve(chunk.toString('latin1')))
    socket.on('secureConnect', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
  })
}

async function echoed(socket: Socket, data: Buffer): Promise<string> {
  const hash = createHash('sha256')
  socket.end(data)
  for await (const chunk of socket) hash.update(chunk)
  return hash.digest('hex')
}
const digestOf = (data: Buffer) => createHash('sha256').update(data).digest('hex')

test('an agent survives a connection reset before its first use', async () => {
  const credentials = await enrolled()
  const { key, certificate } = await authority.serverIdentity()
  const options = { key, cert: certificate, ALPNProtocols: [agentProtocol.alpn] }
  const server = createTlsServer(options)
  server.on('connection', (below: Socket) => {
    server.once('secureConnection', (socket) => {
      socket.on('error', () => {})
      setTimeout(() => below.resetAndDestroy(), 20)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cuts.push(() => server.close())
  const uncaught: unknown[] = []
  const monitor = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtExceptionMonitor', monitor)
  cuts.push(() => process.off('uncaughtExceptionMonitor', monitor))
  const { port } = server.address() as AddressInfo
  const socket = await dial({ host: '127.0.0.1', port }, credentials)
  await new Promise((resolve) => socket.on('close', resolve))
  expect(socket.errored).toMatchObject({ code: 'ECONNRESET' })
  expect(uncaught).toEqual([])
})

test('forwards bytes to the Docker socket and back; each direction ends separately', async () => {
  const service = await startService()
  await connectAgent(service, await enrolled())
  const connection = await until(() => service.hub.find('nas'))
  const data = Buffer.alloc(5_000_000, 'container')
  const streams = await Promise.all([1, 2, 3].map(() => connection.open()))
  const answers = await Promise.all(streams.map((stream) => echoed(stream, data)))
  expect(answers).toEqual([digestOf(data), digestOf(data), digestOf(data)])
})

test('an unread stream does not block the others', async () => {
  const service = await startService()
  await connectAgent(service, await enrolled())
  const connection = await until(() => service.hub.find('nas'))
  const full = Buffer.alloc(1024 * 1024)
  for (let streams = 0; streams < 6; streams += 1) {
    const stalled = await connection.open()
    stalled.pause()
    for (let mebibytes = 0; mebibytes < 10; mebibytes += 1) stalled.write(full)
  }
  const data = Buffer.alloc(2_000_000, 'x')
  expect(await echoed(await connection.open(), data)).toBe(digestOf(data))
})

test('forwards three hundred requests with bodies unchanged', async () => {
  const service = await startService()
  const bodies = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      if (!text.endsWith('}')) return
      const good = text.endsWith('\r\n\r\n{"Image":"ü"}') && text.startsWith('POST /a HTTP/1.1\r\n')
      socket.end(`HTTP/1.1 ${good ? 200 : 400} x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    })
  })
  await new Promise<void>((resolve) => bodies.listen(0, '127.0.0.1', resolve))
  cuts.push(() => bodies.close())
  const { port } = bodies.address() as AddressInfo
  await connectAgent(service, await enrolled(), { port })
  const connection = await until(() => service.hub.find('nas'))
  const agent = hostAgent(() => connection.open())
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 14 }
  const post = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const call = request({ agent, path: '/a', method: 'POST', headers, host: 'engine' })
      call.once('response', (answer) => resolve(answer.resume().statusCode))
      call.once('error', reject)
      call.end('{"Image":"ü"}')
    })
  const statuses = new Set<number | undefined>()
  for (let times = 0; times < 30; times += 1) {
    for (const status of await Promise.all(Array.from({ length: 10 }, post))) statuses.add(status)
  }
  expect([...statuses]).toEqual([200])
})

test('rejects everyone else and gives a reason only to holders of our certificates', async () => {
  const service = await startService()
  const good = await enrolled()
  const own = { cert: good.certificate, key: good.key }
  const other = fileAuthority(mkdtempSync(join(directory, 'other-')), systemClock)
  const { key, request: csr } = await makeRequest()
  const foreign = await other.sign(csr, 'nas')
  const yesterday = { ...systemClock, now: () => Date.now() - 40 * 86_400_000 }
  const expired = await fileAuthority(directory, yesterday).sign(csr, 'nas')
  const unknown = await authority.sign(csr, 'mars')
  const unregistered = await authority.sign(csr, 'nas')
  const server = await authority.serverIdentity()
  const authorityFile = readFileSync(join(directory, 'agent-authority.pem'), 'utf8')
  const cases: Record<string, ConnectionOptions> = {
    'no certificate': {},
    'a foreign authority': { cert: foreign.certificate, key },
    'for servers': { cert: server.certificate, key: server.key },
    'the authority itself': { cert: authorityFile, key: authorityFile },
    'TLS 1.2': { ...own, maxVersion: 'TLSv1.2' },
    'another protocol': { ...own, ALPNProtocols: ['http/1.1', 'h2'] },
  }
  for (const [name, options] of Object.entries(cases)) {
    expect(`${name}: ${await attempt(service.port, options)}`).toBe(`${name}: undefined`)
  }
  const reasons = {
    'the certificate expired at': expired,
    'there is no such host': unknown,
    'the certificate was replaced': unregistered,
  }
  for (const [reason, { certificate }] of Object.entries(reasons)) {
    const { ended } = await connectAgent(service, { ...good, certificate, key })
    expect(await ended).toContain(reason)
  }
  expect(service.hub.find('nas')).toBeUndefined()
})

test('does not respond to HTTP, even with a valid certificate', async () => {
  const service = await startService()
  const { certificate: cert, key } = await enrolled()
  const said = await attempt(service.port, { cert, key })
  expect(said ?? '').not.toContain('HTTP/1.1')
})

test('a new enrolment invalidates the previous certificate and closes its connection', async () => {
  const service = await startService()
  const before = await enrolled()
  const { ended } = await connectAgent(service, before)
  await until(() => service.hub.find('nas'))
  const after = await enrolled()
  await ended
  await until(() => !service.hub.find('nas'))
  const { ended: refused } = await connectAgent(service, before)
  expect(await refused).toBe('the certificate was replaced')
  await connectAgent(service, after)
  await until(() => service.hub.find('nas'))
})

test.each([
  ['the same process', false],
  ['another process', true],
])(
  'an agent that was enrolled again replaces the earlier one at %s at once',
  async (_, isElsewhere) => {
    const one = await startService('p1')
    const two = isElsewhere ? await startService('p2') : one
    await connectAgent(one, await enrolled())
    await until(() => one.hub.find('nas'))
    await connectAgent(two, await enrolled(), { instance: 'b', hostname: 'again' })
    await until(async () => (await ports.hostConnections.find('nas'))?.facts.hostname === 'again')
    expect(await duplicates()).toEqual([])
  },
)

test('keeps the newer of two connections of the same agent', async () => {
  const service = await startService()
  const credentials = await enrolled()
  const first = await connectAgent(service, credentials, { hostname: 'first' })
  await until(() => service.hub.find('nas'))
  await connectAgent(service, credentials, { hostname: 'second' })
  await first.ended
  const connection = await until(() => service.hub.find('nas'))
  expect((await connection.facts()).hostname).toBe('second')
})

const reason = 'another machine uses the certificate of this host: enrol this host again'
const duplicates = async () => (await ports.audit.list({ action: 'hosts.agent', limit: 9 })).rows

test('refuses a second agent with the same certificate, and reports it once', async () => {
  const service = await startService()
  const credentials = await enrolled()
  const { socket } = await connectAgent(service, credentials)
  const first = await until(() => service.hub.find('nas'))
  for (const instance of ['b', 'b', null]) {
    const copy = await connectAgent(service, credentials, { hostname: 'copy', instance })
    expect(await copy.ended).toBe(reason)
  }
  expect([socket.destroyed, service.hub.find('nas')]).toEqual([false, first])
  const where = { hostname: 'copy', address: '127.0.0.1' }
  expect(await ports.hostConnections.find('nas')).toMatchObject({ endedAt: null, duplicate: where })
  expect(await duplicates()).toMatchObject([
    ...[{ action: 'hosts.agent.duplicate', outcome: 'failed', hosts: ['nas'], values: where }],
  ])
  const warning = 'another machine uses the certificate of a host'
  expect(ports.log.lines.filter(({ message }) => message === warning)).toHaveLength(1)
})

test('refuses a second agent that connects to another process', async () => {
  const [one, two] = [await startService('p1'), await startService('p2')]
  const credentials = await enrolled()
  const { socket } = await connectAgent(one, credentials)
  await until(() => one.hub.find('nas'))
  const copy = await connectAgent(two, credentials, { instance: 'b' })
  expect([await copy.ended, socket.destroyed]).toEqual([reason, false])
  expect(two.hub.find('nas')).toBeUndefined()
})

test.each([
  ['the same process', false],
  ['another process', true],
])('replaces the dead connection of another agent to %s', async (_, isElsewhere) => {
  const one = await startService('p1')
  const two = isElsewhere ? await startService('p2') : one
  const proxy = await startFaultProxy(one.port)
  cuts.push(() => ignoreResult(proxy.close()))
  const credentials = await enrolled()
  await connectAgent(one, credentials, { via: proxy.port })
  await until(() => one.hub.find('nas'))
  proxy.freeze()
  const again = await connectAgent(two, credentials, { instance: 'b', hostname: 'again' })
  await until(async () => (await ports.hostConnections.find('nas'))?.facts.hostname === 'again')
  expect([again.socket.destroyed, await duplicates()]).toEqual([false, []])
})

test('replaces the dead connection of the same agent', async () => {
  const service = await startService()
  const proxy = await startFaultProxy(service.port)
  cuts.push(() => ignoreResult(proxy.close()))
  const credentials = await enrolled()
  await connectAgent(service, credentials, { via: proxy.port })
  await until(() => service.hub.find('nas'))
  const dead = service.hub.find('nas')
  proxy.freeze()
  const { socket } = await connectAgent(service, credentials, { hostname: 'again' })
  await until(async () => (await ports.hostConnections.find('nas'))?.facts.hostname === 'again')
  expect(service.hub.find('nas')).not.toBe(dead)
  expect(socket.destroyed).toBe(false)
})

test('disconnects a revoked host', async () => {
  const service = await startService()
  const { ended } = await connectAgent(service, await enrolled())
  await until(() => service.hub.find('nas'))
  const host = present(await ports.hosts.find('nas'))
  await ports.hosts.replace({ ...host, agent: { ...present(host.agent), state: 'revoked' } })
  await ended
  expect(service.hub.find('nas')).toBeUndefined()
})

test('renews a certificate at half its lifetime without dropping the connection', async () => {
  const service = await startService()
  const credentials = await enrolled()
  const host = present(await ports.hosts.find('nas'))
  const soon = { ...present(host.agent), certificateExpiresAt: Date.now() + 86_400_000 }
  await ports.hosts.replace({ ...host, agent: soon })
  const { renewed, socket } = await connectAgent(service, credentials)
  await until(() => renewed.certificate !== credentials.certificate)
  expect(socket.destroyed).toBe(false)
  await connectAgent(service, renewed)
  await until(async () => (await ports.hosts.find('nas'))?.agent?.nextSerial === null)
  const { ended } = await connectAgent(service, credentials)
  await ended
})

test('every process reaches a host through the process with its newest connection', async () => {
  const [one, two] = [await startService('p1'), await startService('p2')]
  const credentials = await enrolled()
  const first = await connectAgent(one, credentials)
  await until(() => one.hub.find('nas'))
  const data = Buffer.alloc(3_000_000, 'far')
  const reach = reachAgents(undefined, secret, ports)
  expect(await echoed(await reach('nas'), data)).toBe(digestOf(data))
  await connectAgent(two, credentials)
  await until(() => two.hub.find('nas'))
  await first.ended
  expect(await echoed(await reach('nas'), data)).toBe(digestOf(data))
  await expect(reachAgents(undefined, 'another secret', ports)('nas')).rejects.toThrow(
    'does not respond',
  )
  await expect(reach('mars')).rejects.toThrow('its agent is offline')
})

test('the key of the authority is private and survives a restart', async () => {
  const file = statSync(join(directory, 'agent-authority.pem'))
  expect(file.mode & 0o777).toBe(0o400)
  const again = fileAuthority(directory, systemClock)
  expect(await again.fingerprint()).toBe(await authority.fingerprint())
})

test.each([
  '',
  'x',
  '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----',
])('400: %j is not a signing request', async (text) => {
  await expect(authority.sign(text, 'nas')).rejects.toMatchObject({ status: 400 })
})

test('a shutdown does not wait for open handshakes', async () => {
  const service = await startService()
  const slow = connectPlain({ port: service.port, host: '127.0.0.1' })
  cuts.push(() => slow.destroy())
  const ended = new Promise<void>((resolve) => slow.once('close', () => resolve()))
  slow.on('error', () => {})
  await new Promise<void>((resolve) => slow.once('connect', resolve))
  // A later connection is established, so this one has been accepted too.
  await connectAgent(service, await enrolled())
  await until(() => service.hub.find('nas'))
  let isOver = false
  const closed = service.close().then(() => {
    isOver = true
  })
  await ended
  await expect.poll(() => isOver, { timeout: 5000 }).toBe(true)
  await closed
})
