import { EventEmitter } from 'node:events'
import type { Http2Session } from 'node:http2'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cutWhenSilent, isPeerAlive } from './liveness.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns a watched connection and the mock that counts pings to its peer. */
function watched() {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const ping = vi.fn(() => true)
  const session = Object.assign(new EventEmitter(), { ping, destroyed: false, closed: false })
  cutWhenSilent(session as unknown as Http2Session, socket)
  const comes = async () => {
    socket.push('x')
    await vi.advanceTimersByTimeAsync(0)
  }
  const isAlive = () => isPeerAlive(session as unknown as Http2Session, socket, 3_000)
  return { socket, session, ping, comes, isAlive }
}

test('closes a silent connection, but only after pings', async () => {
  const { socket, ping } = watched()
  await vi.advanceTimersByTimeAsync(19_400)
  expect([socket.destroyed, ping.mock.calls.length]).toEqual([false, 3])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(socket.destroyed).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('both ends close a silent connection within 30 seconds', async () => {
  const ends = [watched(), watched()]
  await vi.advanceTimersByTimeAsync(29_000)
  expect(ends.map(({ socket }) => socket.destroyed)).toEqual([true, true])
})

test('any byte keeps the connection open', async () => {
  const { socket, comes } = watched()
  for (let passed = 0; passed < 120; passed += 15) {
    await vi.advanceTimersByTimeAsync(15_000)
    await comes()
  }
  expect(socket.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(20_500)
  expect(socket.destroyed).toBe(true)
})

test('sends no ping once the session is closing', async () => {
  const { session, ping } = watched()
  session.closed = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ping).not.toHaveBeenCalled()
})

test('after a suspension, waits for the full silence again', async () => {
  const { socket, comes } = watched()
  const { performance: clock } = globalThis
  const now = clock.now.bind(clock)
  const jump = vi.spyOn(clock, 'now').mockImplementation(() => now() + 60_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(socket.destroyed).toBe(false)
  await comes()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(socket.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(socket.destroyed).toBe(true)
  jump.mockRestore()
})

test('a peer is alive if anything arrives after a ping', async () => {
  const { ping, comes, isAlive } = watched()
  const proof = isAlive()
  expect(ping).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2_900)
  await comes()
  expect(await proof).toBe(true)
})

test('a peer is not alive if nothing arrives, or if its connection closes', async () => {
  const { socket, isAlive } = watched()
  const proof = isAlive()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await proof).toBe(false)
  const second = isAlive()
  socket.destroy()
  expect(await second).toBe(false)
  expect(await isAlive()).toBe(false)
})
