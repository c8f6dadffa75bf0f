import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { FeedFacts } from '../../../functions/kit/feed.ts'
import type { OpenFeed } from '../../../functions/kit/feed-opener.ts'

import { Connection } from './connection.ts'
import { usualFeedLimits } from './limits.ts'
import type { FeedSocket } from './web-sockets.ts'

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

async function* silence() {
  await new Promise(() => {})
}

test('who was just asked for a sign has his time, whoever else comes and goes', async () => {
  const ping = 200
  const ties = { forget() {}, sent() {} }
  const connection = new Connection(new PassThrough(), { ...usualFeedLimits, ping }, ties)
  const ws = new SilentSocket()
  const feed = { first: undefined, messages: silence() } as unknown as OpenFeed
  const facts = { summary: 'Say nothing', access: 'signed-in' } as unknown as FeedFacts
  connection.start(ws as unknown as FeedSocket, feed, { facts, closed: () => {} })
  const isOver = once(ws, 'terminated')
  let terminated = false
  void isOver.then(() => {
    terminated = true
  })
  connection.look()
  connection.look()
  await new Promise(setImmediate)
  expect([ws.pings, terminated]).toEqual([1, false])
  await setTimeout(ping)
  connection.look()
  await isOver
})
