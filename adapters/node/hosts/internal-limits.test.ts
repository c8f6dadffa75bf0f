import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectPlain, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, afterEach, expect, test } from 'vitest'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import { listenForPeers } from '../../sidecar/agents/internal.ts'
import { portLimits } from '../../sidecar/agents/port-limits.ts'
import { serveForwarded } from '../../sidecar/agents/serve-forwarded.ts'
import { fileAuthority } from '../keys/authority.ts'
import { systemClock } from '../process/clock.ts'

const directory = mkdtempSync(join(tmpdir(), 'internal-limits-'))
const authority = fileAuthority(directory, systemClock)
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Serves processes with the secret `right`. Returns the port, and the requests that it took. */
async function serve(limits = portLimits) {
  const taken: string[] = []
  const peers = await listenForPeers({
    identity: await authority.serverIdentity(),
    secret: 'right',
    port: 0,
    host: '127.0.0.1',
    hub: { find: () => undefined },
    onRequest: (incoming, outgoing) =>
      void serveForwarded(incoming, outgoing, async ({ routeKey }) => {
        taken.push(routeKey)
        return { statusCode: 200, headers: {}, body: '' }
      }),
    limits,
  })
  ends.push(() => peers.close())
  return { port: peers.port, taken }
}

/** Returns a connection that never ends its own half, with its text when the service closed it. */
async function stranger(port: number, text: string) {
  const ca = await authority.certificate()
  const to = { port, host: '127.0.0.1', ca, servername: agentProtocol.serverName }
  // The types of Node do not have this option.
  const options = { ...to, allowHalfOpen: true }
  const socket = connect(options)
  ends.push(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(text)
  return { socket, closed: closing(socket) }
}

/** Returns what was received once the service has closed both halves: then nothing can be sent. */
function closing(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.once('end', () => {
    const more = setInterval(() => socket.write('x'), 10)
    socket.once('close', () => clearInterval(more))
  })
  return new Promise((resolve) => socket.once('close', () => resolve(received)))
}

const soon = { ...portLimits, handshake: 100, headers: 100, check: 10 }

test('closes a connection without a handshake, with no request, or with slow headers', async () => {
  const { port } = await serve(soon)
  const plain = connectPlain({ port, host: '127.0.0.1' })
  ends.push(() => plain.destroy())
  plain.on('error', () => {})
  await closing(plain)
  for (const text of ['', 'POST /requests HTTP/1.1\r\nX-Slow:']) {
    const { closed } = await stranger(port, text)
    expect(await closed).not.toMatch(/HTTP\/1\.1 2/)
  }
})

const forged = 'Host: x\r\nAuthorization: Bearer wrong\r\n'

test.each([
  ['CONNECT without a secret', 'CONNECT nas HTTP/1.1\r\nHost: x\r\n\r\n', 401],
  ['CONNECT with a wrong one', `CONNECT nas HTTP/1.1\r\n${forged}\r\n`, 401],
  [
    'a request whose body never ends',
    `POST /requests HTTP/1.1\r\n${forged}Content-Length: 1000000\r\n\r\nx`,
    401,
  ],
  [
    'a request that asks first',
    `POST /requests HTTP/1.1\r\n${forged}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
    401,
  ],
  ['another path', `GET / HTTP/1.1\r\n${forged}\r\n`, 404],
])('refuses and closes at once: %s', async (_what, text, status) => {
  const { port, taken } = await serve()
  const { closed } = await stranger(port, text)
  expect(await closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(taken).toEqual([])
})

test('refuses a body over the limit before it arrives', async () => {
  const { port, taken } = await serve()
  const head = 'Host: x\r\nAuthorization: Bearer right\r\nExpect: 100-continue\r\n'
  const { closed } = await stranger(
    port,
    `POST /requests HTTP/1.1\r\n${head}Content-Length: 8388609\r\n\r\n`,
  )
  expect(await closed).toMatch(/^HTTP\/1\.1 413 /)
  expect(taken).toEqual([])
})

test('accepts no more connections than its limit', async () => {
  const { port } = await serve({ ...portLimits, connections: 1 })
  const first = connectPlain({ port, host: '127.0.0.1' })
  ends.push(() => first.destroy())
  await new Promise((resolve) => first.once('connect', resolve))
  const second = connectPlain({ port, host: '127.0.0.1' })
  ends.push(() => second.destroy())
  second.on('error', () => {})
  expect(await closing(second)).toBe('')
  expect(first.destroyed).toBe(false)
})
