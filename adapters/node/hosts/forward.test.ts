import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import { startFaultProxy } from '../../../local/harness/fault-proxy.ts'
import { toEvent } from '../../lambda/event.ts'
import { gatewayEvent } from '../../lambda/testing/gateway-event.ts'
import { forwardTo } from '../../sidecar/agents/forward.ts'
import { listenForPeers } from '../../sidecar/agents/internal.ts'
import { type CarryOut, serveForwarded } from '../../sidecar/agents/serve-forwarded.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { fileAuthority } from '../keys/authority.ts'
import { systemClock } from '../process/clock.ts'

const directory = mkdtempSync(join(tmpdir(), 'forward-'))
const authority = fileAuthority(join(directory, 'one'), systemClock)
const other = fileAuthority(join(directory, 'other'), systemClock)
const secret = 'a secret between the processes of a service'
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(() => rmSync(directory, { recursive: true }))

const event = toEvent(
  gatewayEvent({ routeKey: 'GET /api/v1/containers', headers: { authorization: 'Bearer x' } }),
  '/api/v1',
)
const never = new AbortController().signal
const answered: CarryOut = async ({ routeKey, headers }) => ({
  statusCode: 201,
  headers: { 'X-Seen': headers.authorization ?? '' },
  body: `{"route":"${routeKey}"}`,
})

async function serve(carryOut?: CarryOut) {
  const peers = await listenForPeers({
    identity: await authority.serverIdentity(),
    secret,
    port: 0,
    host: '127.0.0.1',
    hub: { find: () => undefined },
    onRequest:
      carryOut && ((incoming, outgoing) => void serveForwarded(incoming, outgoing, carryOut)),
  })
  ends.push(() => peers.close())
  return peers.port
}

function forwarding(port: number, { from = authority, known = secret } = {}) {
  const log = memoryLog()
  const secretsOf = async () => ({ ca: await from.certificate(), secret: known })
  return { forward: forwardTo(`127.0.0.1:${port}`, secretsOf, log), log }
}

test('the service carries out the request, and its response comes back', async () => {
  const { forward } = forwarding(await serve(answered))
  expect(await forward(event, never)).toEqual({
    statusCode: 201,
    headers: { 'X-Seen': 'Bearer x' },
    body: '{"route":"GET /containers"}',
  })
})

test('a body of 6 MB arrives', async () => {
  const carryOut: CarryOut = async ({ body = '' }) => ({
    statusCode: 200,
    headers: {},
    body: `${body.length}`,
  })
  const { forward } = forwarding(await serve(carryOut))
  const body = 'x'.repeat(6_000_000)
  expect(await forward({ ...event, body }, never)).toMatchObject({ body: '6000000' })
})

test('nothing is returned and the reason is logged if the service is not there', async () => {
  const port = await serve(answered)
  await ends.pop()?.()
  const { forward, log } = forwarding(port)
  expect(await forward(event, never)).toBeUndefined()
  expect(log.lines).toMatchObject([{ message: 'the service did not take a request' }])
})

test('a service that takes no requests, or another secret, is the same as none', async () => {
  const old = forwarding(await serve())
  expect(await old.forward(event, never)).toBeUndefined()
  expect(JSON.stringify(old.log.lines)).toContain('404')
  const wrong = forwarding(await serve(answered), { known: 'another secret' })
  expect(await wrong.forward(event, never)).toBeUndefined()
  expect(JSON.stringify(wrong.log.lines)).toContain('401 the secret is wrong')
})

test('a refusal reaches a function that has much to send', async () => {
  const { forward, log } = forwarding(await serve(answered), { known: 'another secret' })
  expect(await forward({ ...event, body: 'x'.repeat(6_000_000) }, never)).toBeUndefined()
  expect(JSON.stringify(log.lines)).toContain('401 the secret is wrong')
})

test('a process without the certificate of the service has none', async () => {
  const log = memoryLog()
  const secretsOf = async () => {
    throw new Error('no certificate')
  }
  const forward = forwardTo(`127.0.0.1:${await serve(answered)}`, secretsOf, log)
  expect(await forward(event, never)).toBeUndefined()
  expect(JSON.stringify(log.lines)).toContain('no certificate')
})

test('a server of another authority never sees the request', async () => {
  const { forward, log } = forwarding(await serve(answered), { from: other })
  expect(await forward(event, never)).toBeUndefined()
  expect(JSON.stringify(log.lines)).toMatch(/self-signed certificate|unable to verify/)
})

test('500: the connection is lost while the service works', async () => {
  let proxy: Awaited<ReturnType<typeof startFaultProxy>> | undefined
  const signals: AbortSignal[] = []
  const port = await serve(async (_event, gone) => {
    signals.push(gone)
    proxy?.reset()
    await new Promise((resolve) => gone.addEventListener('abort', resolve))
    return { statusCode: 200, headers: {}, body: '' }
  })
  proxy = await startFaultProxy(port)
  ends.push(() => proxy?.close())
  const { forward } = forwarding(proxy.port)
  await expect(forward(event, never)).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('look whether it was done'),
  })
  await expect.poll(() => signals[0]?.aborted).toBe(true)
})

test('a function that no longer waits is noticed by the service', async () => {
  const stop = new AbortController()
  let gone: AbortSignal | undefined
  const port = await serve(async (_event, signal) => {
    gone = signal
    stop.abort()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { statusCode: 200, headers: {}, body: '' }
  })
  const { forward } = forwarding(port)
  await expect(forward(event, stop.signal)).rejects.toMatchObject({ status: 500 })
  await expect.poll(() => gone?.aborted).toBe(true)
})

/** Sends bytes as a request of a function, and returns the status. */
async function statusOf(port: number, body: string, headers: Record<string, string | number>) {
  const ca = await authority.certificate()
  return new Promise<number | undefined>((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/requests',
      agent: false,
      ca,
      servername: agentProtocol.serverName,
      headers,
    })
    call.once('response', (response) => resolve(response.resume().statusCode))
    call.once('error', reject)
    call.end(body)
  })
}

test('a body that is no event, or has no length, is refused', async () => {
  const port = await serve(answered)
  const authorization = `Bearer ${secret}`
  const text = JSON.stringify(event)
  expect(await statusOf(port, text, { authorization })).toBe(200)
  expect(await statusOf(port, text, {})).toBe(401)
  expect(await statusOf(port, '{', { authorization })).toBe(400)
  expect(await statusOf(port, '{"routeKey":1}', { authorization })).toBe(400)
  const chunked = { authorization, 'transfer-encoding': 'chunked' }
  expect(await statusOf(port, text, chunked)).toBe(413)
  const long = { authorization, 'content-length': 9_000_000 }
  expect(await statusOf(port, '', long)).toBe(413)
})
