import { effect } from '@preact/signals'
import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'
import { type FeedOptions, followFeed, type Socket, type Ticket } from './feed.ts'
import { RequestError } from './problem.ts'

interface Options
  extends Pick<FeedOptions, 'explain' | 'openingMax' | 'reconnects' | 'silenceMax'> {
  away?: boolean | string
}

function world({ away, ...more }: Options = {}) {
  const sockets: (Socket & Ticket & { isClosed: boolean })[] = []
  const timers: (() => void)[] = []
  const messages: unknown[] = []
  let tickets = 0
  const refused = (status: number) => new RequestError({ status, error: 'no' })
  const reason = typeof away === 'string' && { reason: away }
  let refusal = away ? new RequestError({ status: 500, error: 'no', ...reason }) : undefined
  let cuts = 0
  let silences = 0
  const feed = followFeed({
    ...more,
    ticket: async () => {
      tickets += 1
      if (refusal) throw refusal
      return { ticket: `ticket-${tickets}`, url: `wss://feeds-${tickets}/api/v1` }
    },
    connect: (ticket) => {
      const socket = {
        ...ticket,
        isClosed: false,
        binaryType: 'blob' as BinaryType,
        onopen: null,
        onmessage: null,
        onclose: null,
        send: () => {},
        close: () => {
          socket.isClosed = true
        },
      }
      sockets.push(socket)
      return socket
    },
    onMessage: (data) => void messages.push(data),
    onReconnect: () => {
      cuts += 1
    },
    onSilence: () => {
      silences += 1
    },
    setTimer: (work) => timers.push(work),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    feed,
    sockets,
    timers,
    messages,
    settle,
    cuts: () => cuts,
    silences: () => silences,
    refuse: (status: number) => {
      refusal = refused(status)
    },
    async tick() {
      timers.shift()?.()
      await settle()
    },
  }
}

test('a connection that is cut is opened again with a new ticket and where that says', async () => {
  const { feed, sockets, settle, tick, messages, cuts } = world()
  await settle()
  sockets[0]?.onopen?.()
  sockets[0]?.onmessage?.({ data: 'one' })
  expect(feed.state.value).toBe('live')
  sockets[0]?.onclose?.({ code: 1006, reason: '' })
  expect(feed.state.value).toBe('reconnecting')
  await tick()
  expect(sockets[1]).toMatchObject({ ticket: 'ticket-2', url: 'wss://feeds-2/api/v1' })
  sockets[1]?.onopen?.()
  sockets[1]?.onmessage?.({ data: 'two' })
  expect([messages, cuts()]).toEqual([['one', 'two'], 1])
})

test('an effect that opens a feed does not depend on its state', async () => {
  const opened: ReturnType<typeof world>[] = []
  const stop = effect(() => void opened.push(world()))
  await opened[0]?.settle()
  opened[0]?.sockets[0]?.onopen?.()
  opened[0]?.sockets[0]?.onclose?.({ code: 1006, reason: '' })
  expect(opened).toHaveLength(1)
  stop()
})

test.each([
  [1000, undefined],
  [1008, 403],
])('close code %s ends it', async (code, status) => {
  const { feed, sockets, settle, timers } = world()
  await settle()
  sockets[0]?.onopen?.()
  sockets[0]?.onclose?.({ code, reason: '' })
  expect(feed.state.value).toBe('ended')
  expect(feed.problem.value?.status).toBe(status)
  expect(timers).toEqual([])
})

test.each([
  ['{"closing":{"code":1011,"reason":"host-offline","message":"it is off"}}', ''],
  ['"a message"', 'host-offline: it is off'],
])('says why it was cut, after %s', async (last, reason) => {
  const { feed, sockets, settle, messages } = world()
  await settle()
  sockets[0]?.onopen?.()
  sockets[0]?.onmessage?.({ data: last })
  sockets[0]?.onclose?.({ code: 1011, reason })
  expect(feed.cut.value).toEqual({ status: 0, error: 'it is off', reason: 'host-offline' })
  expect(messages).toEqual(reason ? [last] : [])
})

test('a refused ticket ends it, but a service that is away does not', async () => {
  const { feed, refuse, settle, tick, sockets } = world({ away: true })
  await settle()
  expect(feed.state.value).toBe('reconnecting')
  await tick()
  refuse(403)
  await tick()
  expect([feed.state.value, feed.problem.value?.status]).toEqual(['ended', 403])
  expect(sockets).toEqual([])
})

test('a shell is not taken up again', async () => {
  const { feed, sockets, settle, timers } = world({ reconnects: false })
  await settle()
  sockets[0]?.onopen?.()
  sockets[0]?.onclose?.({ code: 1006, reason: '' })
  expect([feed.state.value, timers.length]).toEqual(['ended', 0])
})

test('closed while it waits, it neither connects nor passes messages on', async () => {
  const early = world()
  early.feed.close()
  await early.settle()
  expect(early.sockets).toEqual([])
  const late = world()
  await late.settle()
  late.sockets[0]?.onopen?.()
  late.feed.close()
  late.sockets[0]?.onmessage?.({ data: 'late' })
  late.sockets[0]?.onclose?.({ code: 1006, reason: '' })
  expect([late.messages, late.timers.length, late.sockets[0]?.isClosed]).toEqual([[], 0, true])
})

test('waits grow to 15 s, and differ', () => {
  expect(backoff(0, () => 1)).toBe(500)
  expect([0, 1, 2, 3, 20, 2000].map((attempt) => backoff(attempt, () => 0))).toEqual([
    250, 500, 1000, 2000, 7500, 7500,
  ])
})

test('a feed of a revoked host ends and says why; that of an offline host is tried again', async () => {
  const revoked = world({ away: 'host-revoked' })
  const offline = world({ away: 'host-offline' })
  await offline.settle()
  expect(revoked.feed.state.value).toBe('ended')
  expect(revoked.feed.problem.value?.reason).toBe('host-revoked')
  expect(offline.feed.state.value).toBe('reconnecting')
  expect(offline.timers).toHaveLength(1)
})

test('a refused connection ends it if the reason lasts, and a cut one is opened again', async () => {
  const lasting = { status: 409, error: 'its log driver (none) does not support it' }
  const refused = world({ explain: async () => lasting })
  const passing = world({ explain: async () => undefined })
  const cut = world({ explain: async () => lasting })
  await cut.settle()
  cut.sockets[0]?.onopen?.()
  for (const { sockets, settle } of [refused, passing, cut]) {
    sockets[0]?.onclose?.({ code: 1006, reason: '' })
    await settle()
  }
  expect([refused.feed.state.value, refused.feed.problem.value]).toEqual(['ended', lasting])
  expect([passing.feed.state.value, cut.feed.state.value]).toEqual(['reconnecting', 'reconnecting'])
  expect([refused.timers.length, passing.timers.length, cut.timers.length]).toEqual([0, 1, 1])
})

test('says why it is not connected until it is, and tries again at once when asked', async () => {
  const { feed, sockets, settle, timers, tick, refuse } = world()
  expect(feed.cut.value).toBeUndefined()
  await settle()
  sockets[0]?.onopen?.()
  sockets[0]?.onclose?.({ code: 1006, reason: 'gone' })
  expect(feed.cut.value).toMatchObject({ error: 'gone' })
  feed.retry()
  feed.retry()
  await settle()
  // The attempt that it waited for is not one more.
  await tick()
  expect([sockets.length, timers.length]).toEqual([2, 0])
  expect(feed.cut.value).toMatchObject({ error: 'gone' })
  sockets[1]?.onopen?.()
  expect(feed.cut.value).toBeUndefined()
  sockets[1]?.onclose?.({ code: 1006, reason: '' })
  refuse(403)
  await tick()
  expect([feed.state.value, feed.cut.value]).toEqual(['ended', undefined])
})

test('a feed that is connected or closed is not opened again by a retry', async () => {
  const { feed, sockets, settle } = world()
  await settle()
  sockets[0]?.onopen?.()
  feed.retry()
  feed.close()
  feed.retry()
  await settle()
  expect(sockets).toHaveLength(1)
})

test('a connection that says nothing for too long is given up, and another one is opened', async () => {
  const { feed, sockets, settle, tick, messages, silences } = world({ silenceMax: 45_000 })
  await settle()
  sockets[0]?.onopen?.()
  sockets[0]?.onmessage?.({ data: 'one' })
  await tick()
  expect([feed.state.value, silences()]).toEqual(['live', 0])
  await tick()
  expect([feed.state.value, silences(), sockets[0]?.isClosed]).toEqual(['reconnecting', 1, true])
  sockets[0]?.onmessage?.({ data: 'late' })
  await tick()
  sockets[1]?.onopen?.()
  sockets[0]?.onclose?.({ code: 1006, reason: '' })
  expect([feed.state.value, messages]).toEqual(['live', ['one']])
})

test('a connection that does not open in time is given up', async () => {
  const { feed, sockets, settle, tick, timers } = world({ openingMax: 20_000 })
  await settle()
  await tick()
  expect([feed.state.value, sockets[0]?.isClosed]).toEqual(['reconnecting', true])
  await tick()
  sockets[1]?.onopen?.()
  await tick()
  expect([feed.state.value, sockets.length, timers.length]).toEqual(['live', 2, 0])
})

test('a connection that may be lost is replaced, but not that of a shell', async () => {
  const [log, shell] = [world(), world({ reconnects: false })]
  for (const { feed, sockets, settle, tick } of [log, shell]) {
    await settle()
    sockets[0]?.onopen?.()
    feed.renew()
    await tick()
    sockets[1]?.onopen?.()
  }
  expect([log.sockets.length, log.cuts(), log.feed.state.value]).toEqual([2, 1, 'live'])
  expect([shell.sockets.length, shell.feed.state.value]).toEqual([1, 'live'])
})
