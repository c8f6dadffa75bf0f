import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { endOf } from '../../../functions/kit/feed-end.ts'
import { type FeedFacts, ready } from '../../../functions/kit/feed-facts.ts'
import type { OpenFeed } from '../../../functions/kit/feed-opener.ts'

import { Connection } from './connection.ts'
import { usualFeedLimits } from './limits.ts'
import { FeedSocket } from './web-sockets.ts'

/** Replaces a WebSocket whose client never responds. */
class SilentSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  isPaused = false
  pings = 0
  ping() {
    this.pings += 1
  }
  send() {}
  terminate() {
    this.emit('terminated')
  }
}

/** Returns a WebSocket on a connection, without the handshake. */
function webSocketOn(socket: Socket): FeedSocket {
  const ws = Reflect.construct(FeedSocket, [null, undefined, { autoPong: true }])
  ws.setSocket(socket, Buffer.alloc(0), { maxPayload: 1024 })
  return ws
}

const shared = { forget() {}, endOf: async (error: unknown) => endOf(error) }

async function* silence() {
  await new Promise(() => {})
}

test('a client keeps its full time to answer a ping while others come and go', async () => {
  const ping = 200
  const connection = new Connection(new PassThrough(), { ...usualFeedLimits, ping }, shared)
  const ws = new SilentSocket()
  const feed = { first: undefined, messages: silence() } as unknown as OpenFeed
  const facts = { summary: 'Say nothing', access: 'signed-in' } as unknown as FeedFacts
  connection.start(ws as unknown as FeedSocket, feed, { facts, closed: () => {} })
  const isOver = once(ws, 'terminated')
  let terminated = false
  void isOver.then(() => {
    terminated = true
  })
  connection.check()
  connection.check()
  await new Promise(setImmediate)
  expect([ws.pings, terminated]).toEqual([1, false])
  await setTimeout(ping)
  connection.check()
  await isOver
})

test.each([
  ['ends the feed of a client that responds and reads nothing', 1000, [1013]],
  ['keeps a quiet feed of a client that responds', 0, []],
])('%s', (_what, pending, wanted) => {
  const connection = new Connection(new PassThrough(), { ...usualFeedLimits, ping: 0 }, shared)
  const codes: number[] = []
  const ws = Object.assign(new SilentSocket(), {
    bufferedAmount: pending,
    close: (code: number) => codes.push(code),
    resume() {},
  })
  const first = pending > 0 ? Buffer.alloc(2000) : ready
  const feed = { first, messages: silence() } as unknown as OpenFeed
  const facts = { summary: 'Say nothing', access: 'signed-in' } as unknown as FeedFacts
  connection.start(ws as unknown as FeedSocket, feed, { facts, closed: () => {} })
  const check = (times: number) => {
    for (let count = 0; count < times; count += 1) {
      connection.heard()
      connection.check()
    }
  }
  check(4)
  expect(codes).toEqual([])
  // Some more was read: the count begins again.
  if (pending > 0) ws.bufferedAmount = pending - 500
  check(1)
  ws.bufferedAmount = pending
  check(3)
  expect(codes).toEqual([])
  check(1)
  expect(codes).toEqual(wanted)
})

test('a client that reads nothing leaves one message pending in the service, not two', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [socket] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    client.destroy()
    socket.destroy()
  })
  const ws = webSocketOn(socket)
  const message = Buffer.alloc(socket.writableHighWaterMark)
  async function* flood() {
    for (;;) yield message
  }
  const connection = new Connection(socket, usualFeedLimits, shared)
  const feed = { first: message, messages: flood() } as unknown as OpenFeed
  connection.start(ws, feed, { facts: { access: 'signed-in' } as FeedFacts, closed: () => {} })
  let before = -1
  const isStill = () => {
    const now = socket.bytesWritten
    const still = now > 0 && now === before
    before = now
    return still
  }
  await expect.poll(isStill, { timeout: 15_000, interval: 300 }).toBe(true)
  expect(ws.bufferedAmount).toBeGreaterThan(0)
  expect(ws.bufferedAmount).toBeLessThan(message.length + 1024)
})
