import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { type Duplex, duplexPair } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Methods, type StreamMethods, serveCalls } from './grpc-server.ts'

const framed = (message: Buffer) => {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

interface Answer {
  status: string | undefined
  message: Buffer
  /** The code of the reset, if the call was reset. */
  reset?: number
}

/** Serves the methods over a pair of streams. Returns a client on the other end. */
function served(methods: Methods, streamMethods: StreamMethods = {}) {
  const [ours, theirs] = duplexPair()
  ours.once('close', () => theirs.destroy())
  theirs.once('close', () => ours.destroy())
  const end = serveCalls(ours, methods, streamMethods)
  const client = connect('http://engine', { createConnection: () => theirs })
  client.on('error', () => {})
  onTestFinished(() => client.destroy())
  return { client, end, ours, theirs }
}

function ask(client: ClientHttp2Session, path: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const call = client.request({ ':method': 'POST', ':path': path })
    const answer: Answer = { status: undefined, message: Buffer.alloc(0) }
    const chunks: Buffer[] = []
    const read = (headers: Record<string, unknown>) => {
      answer.status = (headers['grpc-status'] as string | undefined) ?? answer.status
    }
    call.on('response', read)
    call.on('trailers', read)
    call.on('data', (chunk) => chunks.push(chunk))
    call.on('error', () => {})
    call.on('close', () => {
      if (call.rstCode !== 0) answer.reset = call.rstCode
      resolve({ ...answer, message: Buffer.concat(chunks).subarray(5) })
    })
    call.end(body)
  })
}

const echo: Methods = { '/a/Echo': (request) => request, '/a/None': () => undefined }

test('answers calls, also many at the same time and long ones', async () => {
  const long = Buffer.alloc(500 * 1024, 'x')
  const { client } = served({ ...echo, '/a/Long': () => long })
  const texts = Array.from({ length: 50 }, (_, index) => Buffer.from(`call ${index}`))
  const answers = await Promise.all(texts.map((text) => ask(client, '/a/Echo', framed(text))))
  expect(answers).toEqual(texts.map((message) => ({ status: '0', message })))
  const { message } = await ask(client, '/a/Long', framed(Buffer.alloc(0)))
  expect(message.equals(long)).toBe(true)
})

test('refuses what does not exist, and methods that it does not have', async () => {
  const { client } = served(echo)
  const status = async (path: string) => (await ask(client, path, framed(Buffer.alloc(0)))).status
  expect(await status('/a/None')).toBe('5')
  for (const path of ['/a/Other', '/', '/constructor', '/__proto__', '/a/Echo/']) {
    expect(await status(path), path).toBe('12')
  }
  expect(await status('/a/Echo')).toBe('0')
})

test.each([
  ['no message', Buffer.alloc(0)],
  ['half a prefix', Buffer.alloc(3)],
  ['a compressed message', Buffer.concat([Buffer.from([1, 0, 0, 0, 1]), Buffer.from('x')])],
  ['less than its prefix says', framed(Buffer.from('abc')).subarray(0, 7)],
  ['two messages', Buffer.concat([framed(Buffer.from('a')), framed(Buffer.from('b'))])],
  ['a message over the limit', framed(Buffer.alloc(65 * 1024))],
])('resets a call with %s; others go on', async (_, body) => {
  const { client } = served(echo)
  const answer = await ask(client, '/a/Echo', body)
  expect(answer).toMatchObject({ status: undefined, reset: expect.any(Number) })
  expect((await ask(client, '/a/Echo', framed(Buffer.from('a')))).status).toBe('0')
})

test('keeps no more of an endless request than the limit', async () => {
  let sent = 0
  const { client } = served(echo)
  const call = client.request({ ':method': 'POST', ':path': '/a/Echo' })
  call.on('error', () => {})
  const closed = new Promise((resolve) => call.once('close', resolve))
  while (!call.closed && sent < 1e9) {
    const more = call.write(Buffer.alloc(16 * 1024))
    sent += 16 * 1024
    if (!more) await Promise.race([closed, new Promise((resolve) => call.once('drain', resolve))])
  }
  expect(sent).toBeLessThan(1024 * 1024)
})

const untilClosed = async (stream: Duplex) => {
  while (!stream.destroyed) await pause(5)
}

test.each([
  ['garbage', Buffer.alloc(100_000, 0xff)],
  ['an HTTP/1.1 response', Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')],
  [
    'an invalid frame after the preface',
    Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(64, 0xfe)]),
  ],
])('ends the connection after %s', async (_, bytes) => {
  const [ours, theirs] = duplexPair()
  serveCalls(ours, echo)
  theirs.on('error', () => {})
  theirs.resume()
  theirs.write(bytes)
  await untilClosed(ours)
})

test('ends with the connection, and when it is told to; both at any time', async () => {
  for (const act of [
    ({ end }: ReturnType<typeof served>) => end(),
    ({ theirs }: ReturnType<typeof served>) => theirs.destroy(),
    ({ ours }: ReturnType<typeof served>) => ours.destroy(new Error('reset')),
  ]) {
    const started = served(echo)
    const call = ask(started.client, '/a/Echo', framed(Buffer.from('a')))
    act(started)
    await call
    await untilClosed(started.ours)
    started.end()
  }
})

const streams: StreamMethods = {
  '/a/Each': async ({ messages, send }) => {
    for await (const message of messages) await send(message)
  },
  '/a/Fail': async ({ send }) => {
    await send(Buffer.from('a'))
    throw new Error('broken')
  },
}

test('answers each message of a call, however its bytes arrive', async () => {
  const { client } = served(echo, streams)
  const sent = Buffer.concat(
    ['a', '', 'long'.repeat(1000)].map((text) => framed(Buffer.from(text))),
  )
  const call = client.request({ ':method': 'POST', ':path': '/a/Each' })
  const chunks: Buffer[] = []
  call.on('data', (chunk) => chunks.push(chunk))
  for (const byte of sent.subarray(0, 20)) call.write(Buffer.from([byte]))
  call.end(sent.subarray(20))
  await new Promise((resolve) => call.once('close', resolve))
  expect(Buffer.concat(chunks).equals(sent)).toBe(true)
})

test('a method that fails ends its call with a code; others go on', async () => {
  const { client } = served(echo, streams)
  const failed = await ask(client, '/a/Fail', Buffer.alloc(0))
  expect(failed).toEqual({ status: '2', message: Buffer.from('a') })
  expect((await ask(client, '/a/Echo', framed(Buffer.from('a')))).status).toBe('0')
})

test.each([
  ['a compressed message', Buffer.from([1, 0, 0, 0, 1, 0])],
  ['a message over the limit', framed(Buffer.alloc(65 * 1024))],
])('resets a call with %s among others', async (_, bytes) => {
  const { client } = served(echo, streams)
  const answer = await ask(client, '/a/Each', Buffer.concat([framed(Buffer.from('a')), bytes]))
  expect(answer.reset).toEqual(expect.any(Number))
  expect((await ask(client, '/a/Echo', framed(Buffer.from('a')))).status).toBe('0')
})

test('the messages of a call end when it is cancelled', async () => {
  let ends = 0
  const { client } = served(echo, {
    '/a/Wait': async ({ messages }) => {
      try {
        for await (const _ of messages);
      } finally {
        ends += 1
      }
    },
  })
  const call = client.request({ ':method': 'POST', ':path': '/a/Wait' })
  call.on('error', () => {})
  await new Promise((resolve) => call.once('response', resolve))
  call.close(constants.NGHTTP2_CANCEL)
  await expect.poll(() => ends).toBe(1)
})
