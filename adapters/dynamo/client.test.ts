import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { patience } from '../store/deadline.ts'
import { storeClient } from './client.ts'

afterEach(() => void vi.useRealTimers())

/** Returns a client of a store that answers nothing, and the connections that it accepted. */
async function hangingStore() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = storeClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ region: 'local', table: 'none' },
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  })
  onTestFinished(() => {
    client.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { client, sockets }
}

test('500: calls that wait for a connection have the same deadline as those that have one', async () => {
  const { client, sockets } = await hangingStore()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ended: unknown[] = []
  const calls = Array.from({ length: 60 }, () =>
    client
      .send((store, options) => store.send(new ListTablesCommand({}), options))
      .catch((error) => ended.push(error)),
  )
  while (sockets.size < 24) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(patience - 1)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  await Promise.all(calls)
  const failure = { status: 500, message: 'The store does not respond' }
  expect(ended).toEqual(Array(60).fill(expect.objectContaining(failure)))
  expect(sockets.size).toBe(24)
})
