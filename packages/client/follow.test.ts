import { expect, test } from 'vitest'
import type { Socket } from './connection.ts'
import { type Following, follow } from './follow.ts'

/** Returns a socket that is open, sends these messages, and closes. */
function closing(messages: object[], code: number, reason: string): Socket {
  const listeners: Record<string, (event: never) => void> = {}
  const emit = (type: string, event: object = {}) => listeners[type]?.(event as never)
  setImmediate(() => {
    emit('open')
    for (const message of messages) emit('message', { data: JSON.stringify(message) })
    emit('close', { code, reason })
  })
  return {
    close: () => {},
    addEventListener: (type: string, listener: (event: never) => void) => {
      listeners[type] = listener
    },
  }
}

/** Reads a feed over these connections. Returns its messages and how each of them ended. */
async function read(...sockets: (() => Socket)[]) {
  const told: unknown[] = []
  const options: Following<object> = {
    connect: async () => sockets.shift()?.() ?? Promise.reject(new Error('no more')),
    onReconnect: (lost) => told.push(lost),
    onEnd: (end) => told.push(end),
  }
  const messages: object[] = []
  for await (const message of follow(options)) messages.push(message)
  return { messages, told }
}

const over = { closing: { code: 1000, reason: null, message: 'it ended', exit_code: 3 } }

test('says how each connection ended, and passes the last message on to no reader', async () => {
  const offline = { closing: { code: 1011, reason: 'host-offline', message: 'it is off' } }
  const { messages, told } = await read(
    () => closing([{ line: 1 }, offline], 1011, 'host-offline: it is …'),
    () => closing([{ line: 2 }], 1013, 'slow-reader: too slow'),
    () => closing([{ line: 3 }, over], 1000, ''),
  )
  expect(messages).toEqual([{ line: 1 }, { line: 2 }, { line: 3 }])
  expect(told).toEqual([
    { code: 1011, reason: 'host-offline', message: 'it is off' },
    { code: 1013, reason: 'slow-reader', message: 'too slow' },
    { code: 1000, reason: undefined, message: 'it ended', exitCode: 3 },
  ])
})

test.each([
  ['host-revoked: the host was revoked', 403, 'host-revoked', 'the host was revoked'],
  ['unexpected-message: no: none', 400, 'unexpected-message', 'no: none'],
  ['of an older service', 403, undefined, 'of an older service'],
])('1008: %s is an error with its reason', async (text, status, reason, message) => {
  const refused = read(() => closing([], 1008, text))
  await expect(refused).rejects.toMatchObject({ status, reason, message })
})
