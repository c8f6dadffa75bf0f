import type { ClientHttp2Session } from 'node:http2'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { agentProtocol } from '../../functions/core/hosts/agent-protocol.ts'
import { fitWindow } from './window.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const { connectionWindowMin: min, connectionWindow: max } = agentProtocol

/**
 * Returns a connection that receives data. `second` simulates one second at a rate of that many
 * bytes, in steps of 50 ms.
 */
function line() {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const sizes: number[] = []
  const session = { destroyed: false, setLocalWindowSize: (size: number) => sizes.push(size) }
  fitWindow(session as unknown as ClientHttp2Session, socket)
  const second = async (bytes: number) => {
    for (let step = 0; step < 20; step += 1) {
      await vi.advanceTimersByTimeAsync(50)
      socket.push(Buffer.alloc(bytes / 20))
    }
    await vi.advanceTimersByTimeAsync(0)
    return sizes.at(-1)!
  }
  return { session, sizes, second }
}

test('begins as for a slow line, and stays so on one', async () => {
  const { sizes, second } = line()
  expect(sizes).toEqual([min])
  expect(await second(100_000)).toBe(min)
  expect(sizes).toEqual([min])
})

test('follows what comes in a second', async () => {
  const { second } = line()
  const size = await second(4_000_000)
  expect(size).toBeGreaterThanOrEqual(3_900_000)
  expect(size).toBeLessThanOrEqual(5_000_000)
})

test('has an end on the fastest line', async () => {
  const { second } = line()
  expect(await second(100_000_000)).toBe(max)
})

test('shrinks by half at a time when less comes', async () => {
  const { sizes, second } = line()
  const large = await second(8_000_000)
  const before = sizes.length
  await second(1_000)
  expect(sizes[before]).toBe(Math.floor(large / 2))
  for (let again = 0; again < 4; again += 1) await second(1_000)
  expect(sizes.at(-1)).toBe(min)
})

test('leaves a session alone that has gone', async () => {
  const { session, sizes, second } = line()
  session.destroyed = true
  await second(4_000_000)
  expect(sizes).toEqual([min])
})
