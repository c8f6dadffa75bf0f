import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { engineClient } from '../transport/client.ts'
import { methodPaths } from './methods.ts'
import { encodedField } from './protocol-buffers.ts'
import { openSession } from './session.ts'

const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'

/** Starts an Engine that answers `POST /session` as told. `open` has its connections. */
async function engineWith(answer: (socket: Duplex, request: IncomingMessage) => void) {
  const open = new Set<Duplex>()
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"ApiVersion": "1.41"}')
  })
  server.on('upgrade', (request, socket: Duplex) => {
    open.add(socket)
    socket.on('error', () => {})
    // Servers let the other side end first.
    socket.on('end', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
    answer(socket, request)
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const client = engineClient({ host: '127.0.0.1', port }, 'web-1', undefined, 500)
  return { client, open }
}

const offers = { secrets: new Map([['key', Buffer.from('value')]]), registries: [] }
const never = new AbortController().signal
const frame = encodedField(1, Buffer.from('key'))
const request = Buffer.concat([Buffer.from([0, 0, 0, 0, frame.length]), frame])

test('announces its methods, and serves from the first byte until it is closed', async () => {
  let headers: IncomingMessage['headersDistinct'] = {}
  let answered: Buffer | undefined
  const { client, open } = await engineWith((socket, { headersDistinct }) => {
    headers = headersDistinct
    socket.write(switched)
    const engine = connect('http://session', { createConnection: () => socket as never })
    engine.on('error', () => {})
    engine.on('close', () => socket.destroy())
    const call = engine.request({ ':method': 'POST', ':path': methodPaths[0] })
    call.on('error', () => {})
    call.on('data', (chunk: Buffer) => {
      answered = Buffer.concat([answered ?? Buffer.alloc(0), chunk])
    })
    call.end(request)
  })
  const session = await openSession(client, offers, never)
  await vi.waitFor(() => expect(answered?.toString()).toContain('value'))
  expect(headers).toMatchObject({
    upgrade: ['h2c'],
    'x-docker-expose-session-uuid': [session.id],
    'x-docker-expose-session-grpc-method': methodPaths,
    'content-length': ['0'],
  })
  expect(open.size).toBe(1)
  session.close()
  await vi.waitFor(() => expect(open.size).toBe(0))
})

test('500: an Engine that does not answer; the connection is closed', async () => {
  const { client, open } = await engineWith(() => {})
  await expect(openSession(client, offers, never)).rejects.toMatchObject({
    status: 500,
    message: 'The Docker Engine of host web-1 did not respond within 0.5 s (POST /session)',
  })
  await vi.waitFor(() => expect(open.size).toBe(0))
})

test.each([
  [404, 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'],
  [500, 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  [500, 'HTTP/1.1 500 Error\r\nContent-Length: 6\r\n\r\n<html>'],
  [500, '\u0000\u0001\u0002'],
  [500, ''],
])('%i: an Engine without sessions, such as one that answers %j', async (status, answer) => {
  const { client } = await engineWith((socket) => socket.end(answer))
  await expect(openSession(client, offers, never)).rejects.toMatchObject({
    status,
    message: expect.stringContaining('POST /session'),
  })
})

test('stops to wait when the caller aborts; the connection is closed', async () => {
  const { client, open } = await engineWith(() => stop.abort(new Error('enough')))
  const stop = new AbortController()
  await expect(openSession(client, offers, stop.signal)).rejects.toThrow('enough')
  await vi.waitFor(() => expect(open.size).toBe(0))
})

test('an Engine that sends garbage loses the session, and the service goes on', async () => {
  const { client, open } = await engineWith((socket) => {
    socket.write(Buffer.concat([Buffer.from(switched), Buffer.alloc(1_000_000, 0xff)]))
  })
  const session = await openSession(client, offers, never)
  await vi.waitFor(() => expect(open.size).toBe(0))
  session.close()
})
