import { expect, test } from 'vitest'
import { messagesOf, type Socket } from './connection.ts'

/** Returns a socket that a test drives. */
function driven() {
  const listeners: Record<string, (event: never) => void> = {}
  let isClosed = false
  const socket: Socket = {
    close() {
      isClosed = true
    },
    addEventListener: (type: string, listener: (event: never) => void) => {
      listeners[type] = listener
    },
  }
  const emit = (type: string, event: object = {}) => listeners[type]?.(event as never)
  return { socket, emit, isClosed: () => isClosed }
}

test('more than 16 MiB of unread messages close the connection and throw', async () => {
  const { socket, emit, isClosed } = driven()
  const messages = messagesOf(socket, undefined, () => {})
  const first = messages.next()
  emit('message', { data: 'x' })
  expect(await first).toEqual({ done: false, value: 'x' })
  for (let count = 0; count < 17; count++) emit('message', { data: 'y'.repeat(2 ** 20) })
  expect(isClosed()).toBe(true)
  await expect(messages.next()).rejects.toThrow('read too slowly')
})

test('messages that arrived before the end are read before it', async () => {
  const { socket, emit } = driven()
  const messages = messagesOf(socket, undefined, () => {})
  const first = messages.next()
  emit('open')
  emit('message', { data: '1' })
  emit('message', { data: '2' })
  emit('close', { code: 1000, reason: '' })
  expect(await first).toEqual({ done: false, value: '1' })
  expect(await messages.next()).toEqual({ done: false, value: '2' })
  const end = { code: 1000, reason: '', wasOpen: true }
  expect(await messages.next()).toEqual({ done: true, value: end })
})

test('a reader that is aborted does not wait for the end of a connection without a network', async () => {
  const { socket, emit, isClosed } = driven()
  const stop = new AbortController()
  const messages = messagesOf(socket, stop.signal, () => {})
  const first = messages.next()
  emit('open')
  stop.abort()
  expect(await first).toEqual({ done: true, value: { code: 1000, reason: '', wasOpen: true } })
  expect(isClosed()).toBe(true)
})
