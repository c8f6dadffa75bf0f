import type { ClientHttp2Session } from 'node:http2'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { agentProtocol } from '../../functions/core/records/agent-protocol.ts'
import { present } from '../testing/present.ts'
import { fitWindow } from './window.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const { connectionWindowMin: min, connectionWindow: max, measuringWindow } = agentProtocol
type Answered = (error: Error | null, milliseconds: number, payload: Buffer) => void

/**
 * Returns a connection that receives data, with a round trip in milliseconds. `second` simulates
 * one second at a rate of that many bytes, in steps of 10 ms, and returns the window after it. With
 * `isFull` no more than the window arrives in a round trip.
 */
function line(roundTrip: number, isFull = false) {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const sizes: number[] = []
  const at = { roundTrip, pings: 0 }
  const session = {
    destroyed: false,
    closed: false,
    setLocalWindowSize: (size: number) => sizes.push(size),
    ping(answered: Answered) {
      at.pings += 1
      setTimeout(() => answered(null, 0, Buffer.alloc(8)), at.roundTrip)
      return true
    },
  }
  fitWindow(session as unknown as ClientHttp2Session, socket)
  const second = async (bytes: number) => {
    for (let step = 0; step < 100; step += 1) {
      await vi.advanceTimersByTimeAsync(10)
      const most = isFull ? (present(sizes.at(-1)) * 10) / at.roundTrip : bytes
      socket.push(Buffer.alloc(Math.min(bytes / 100, most)))
      await vi.advanceTimersByTimeAsync(0)
    }
    return present(sizes.at(-1))
  }
  const seconds = async (count: number, bytes: number) => {
    for (let passed = 0; passed < count; passed += 1) await second(bytes)
    return present(sizes.at(-1))
  }
  return { session, sizes, second, seconds, at }
}

test('starts at the minimum and stays there on a slow line, without pings', async () => {
  const { sizes, second, at } = line(20)
  expect(sizes).toEqual([min])
  expect(await second(100_000)).toBe(min)
  expect([sizes, at.pings]).toEqual([[min], 0])
})

test.each([
  ['a line of 100 Mbit/s', 12_500_000, 1, 1_070_000],
  ['a fast and short line', 100_000_000, 2, 1_450_000],
  ['a fast and long line', 10_000_000, 200, 5_050_000],
])('holds two round trips and 1 MiB of %s', async (_, rate, roundTrip, window) => {
  const { seconds } = line(roundTrip, true)
  const size = await seconds(20, rate)
  expect(size).toBeGreaterThan(0.95 * window)
  expect(size).toBeLessThan(1.05 * window)
})

test('is at most the bytes that arrive in a second', async () => {
  const { seconds } = line(2_000, true)
  expect(await seconds(60, 1_000_000)).toBeLessThanOrEqual(1_000_000)
})

test('stays below the maximum on the fastest line', async () => {
  const { seconds } = line(300, true)
  expect(await seconds(20, 100_000_000)).toBe(max)
})

test('shrinks by half at a time when a fast line becomes slow', async () => {
  const { sizes, seconds } = line(200, true)
  await seconds(10, 10_000_000)
  const before = sizes.length
  await seconds(3, 100_000)
  const after = sizes.slice(before - 1)
  expect(after.length).toBeGreaterThan(4)
  for (const [index, size] of after.slice(1).entries()) {
    expect(size).toBeGreaterThanOrEqual(Math.floor(present(after[index]) / 2))
  }
  expect(after.at(-1)).toBe(min)
})

test('measures the round trip every 30 s, with a small window that ends at once', async () => {
  const { sizes, seconds, at } = line(10, true)
  const size = await seconds(5, 10_000_000)
  expect(size).toBeLessThan(1_300_000)
  const before = [sizes.length, at.pings]
  at.roundTrip = 200
  await seconds(20, 500_000)
  expect([sizes.lastIndexOf(measuringWindow) < present(before[0]), at.pings]).toEqual([
    ...[true, before[1]],
  ])
  await seconds(10, 10_000_000)
  expect(sizes.slice(before[0]).filter((one) => one === measuringWindow)).toHaveLength(1)
  expect(sizes.at(-1)).toBeGreaterThan(2_000_000)
})

test('a round trip that was measured on a slow line does not count on a fast one', async () => {
  const { seconds, at } = line(1_000, true)
  await seconds(10, 200_000)
  at.roundTrip = 2
  expect(await seconds(2, 50_000_000)).toBeLessThan(1_400_000)
})

test('does not change the window of a closed session', async () => {
  const { session, sizes, second, at } = line(10)
  session.destroyed = true
  await second(4_000_000)
  expect([sizes, at.pings]).toEqual([[min], 0])
})

test('continues when a ping fails', async () => {
  const { session, seconds } = line(10)
  const { ping } = session
  session.ping = (answered) => {
    setTimeout(() => answered(new Error('cancelled'), 0, Buffer.alloc(0)), 10)
    return true
  }
  const unknown = await seconds(3, 10_000_000)
  expect(unknown).toBeLessThan(1_100_000)
  session.ping = ping
  expect(await seconds(31, 10_000_000)).toBeGreaterThan(unknown + 190_000)
})
