import { expect, test } from 'vitest'
import { signIn } from '../../../local/harness/sign-in.ts'
import { rawClient } from '../../testing/raw-http.ts'
import {
  expectError,
  fixtureRoutes,
  gate,
  lineOf,
  listening,
  untilNoClients,
} from './testing/listener.ts'

const limits = { bodyBytes: 1024 }
const body = (bytes: number) => JSON.stringify({ data: Buffer.alloc(bytes).toString('base64') })
const head = (length: number, more: string, path = 'uploads') =>
  `PUT /api/v1/${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

/**
 * Returns a listener with a route for large bodies, and a function that starts a request with
 * `Expect: 100-continue`.
 */
async function uploading(hold = gate()) {
  const service = await listening({ routes: fixtureRoutes(hold), limits })
  const token = await signIn(service.ports, { username: 'ann', role: 'viewer' })
  const ask = async (text: string, more = '', path = 'uploads') => {
    const client = await rawClient(service.port)
    const fields = `Authorization: Bearer ${token}\r\nExpect: 100-continue\r\n${more}`
    client.write(head(Buffer.byteLength(text), fields, path))
    return { ...client, send: () => client.write(text) }
  }
  return { service, ask, hold }
}

test('200: decodes a large body, also in an unusual form', async () => {
  const { service, ask, hold } = await uploading()
  hold.open()
  for (const text of [body(2000), `${body(2000)} `.replace('A', '\\u0041')]) {
    const client = await ask(text)
    expect((await client.answer()).status).toBe(100)
    client.send()
    expect(JSON.parse((await client.answer()).body)).toEqual({ bytes: 2000 })
    client.socket.destroy()
  }
  await service.close(AbortSignal.abort())
})

test('401: does not read a large body of an unauthorized caller', async () => {
  await using service = await listening({ limits })
  const client = await rawClient(service.port)
  client.write(head(4000, 'Expect: 100-continue\r\n'))
  const answer = await client.answer()
  expectError(answer, 401)
  expect(answer.headers.connection).toBe('close')
  client.socket.destroy()
})

test('reads large bodies one at a time until each response', async () => {
  const { service, ask, hold } = await uploading()
  const first = await ask(body(2000))
  expect((await first.answer()).status).toBe(100)
  first.send()
  await hold.inside
  const second = await ask(body(1000))
  // A small body does not have to wait.
  const small = await ask(body(30))
  expect((await small.answer()).status).toBe(100)
  expect(second.socket.bytesRead).toBe(0)
  hold.open()
  expect((await first.answer()).status).toBe(200)
  expect((await second.answer()).status).toBe(100)
  second.send()
  expect((await second.answer()).status).toBe(200)
  await service.close(AbortSignal.abort())
})

test('work that may take minutes does not keep others from sending large bodies', async () => {
  const { service, ask, hold } = await uploading()
  const first = await ask(body(2000), '', 'works')
  expect((await first.answer()).status).toBe(100)
  first.send()
  await hold.inside
  const second = await ask(body(1000))
  expect((await second.answer()).status).toBe(100)
  second.send()
  hold.open()
  expect((await first.answer()).status).toBe(200)
  expect((await second.answer()).status).toBe(200)
  await service.close(AbortSignal.abort())
})

test('a disconnected client frees its slot', async () => {
  const { service, ask, hold } = await uploading()
  hold.open()
  const gone = await ask(body(2000), 'X-Request-Id: gone\r\n')
  expect((await gone.answer()).status).toBe(100)
  const waits = await ask(body(2000), 'X-Request-Id: waits\r\n')
  waits.socket.resetAndDestroy()
  gone.socket.resetAndDestroy()
  await untilNoClients(service)
  const next = await ask(body(2000))
  expect((await next.answer()).status).toBe(100)
  next.send()
  expect((await next.answer()).status).toBe(200)
  for (const id of ['gone', 'waits']) {
    const line = await lineOf(service.log, id)
    expect(line).toMatchObject({ status: null })
    expect(line).not.toHaveProperty('error')
  }
  await service.close(AbortSignal.abort())
})
