import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { callDeadline } from '../store/deadline.ts'
import { isRefusal, storeClient } from './client.ts'

afterEach(() => void vi.useRealTimers())

const silent = { status: 500, message: 'The store does not respond', reason: 'store-unavailable' }

/** Returns a client of a store that answers nothing, and the connections that it accepted. */
async function hangingStore() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = clientAt((server.address() as AddressInfo).port)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { client, sockets }
}

function clientAt(port: number, explain?: () => Promise<string | undefined>) {
  const client = storeClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'local',
    table: 'none',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    ...(explain && { explain }),
  })
  onTestFinished(() => client.close())
  return client
}

const list = (client: ReturnType<typeof clientAt>) =>
  client.send((store, options) => store.send(new ListTablesCommand({}), options))

/** Returns the port of a server that answers every request with a status and a type of error. */
async function portOfServer(status: number, type = 'Unknown') {
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` })
  const server = createHttpServer((_, response) => response.writeHead(status).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('500 store-unavailable: the store is not there, as while it restarts', async () => {
  await expect(list(clientAt(1))).rejects.toMatchObject(silent)
})

test('500 store-unavailable: the store fails', async () => {
  await expect(list(clientAt(await portOfServer(503)))).rejects.toMatchObject(silent)
})

test.each(['ProvisionedThroughputExceededException', 'ThrottlingException'])(
  '500 store-unavailable: the store has too many requests: %s',
  async (type) => {
    await expect(list(clientAt(await portOfServer(400, type)))).rejects.toMatchObject(silent)
  },
)

test('a store that has too many requests did not refuse a faulty one', () => {
  const $metadata = { httpStatusCode: 400 }
  expect(isRefusal({ name: 'ProvisionedThroughputExceededException', $metadata })).toBe(false)
  expect(isRefusal({ name: 'ValidationException', $metadata })).toBe(true)
})

test('500 disk-full: the store is not there because its disk is full', async () => {
  const full = clientAt(1, async () => 'The disk of the store is full')
  await expect(list(full)).rejects.toMatchObject({ status: 500, reason: 'disk-full' })
})

test('500 internal: the store refuses the request, which is a fault of the service', async () => {
  const refused = { status: 500, message: 'The store refused the request', reason: 'internal' }
  await expect(list(clientAt(await portOfServer(400)))).rejects.toMatchObject(refused)
})

test('500: calls that wait for a connection have the same deadline as those that have one', async () => {
  const { client, sockets } = await hangingStore()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ended: unknown[] = []
  const calls = Array.from({ length: 60 }, () => list(client).catch((error) => ended.push(error)))
  while (sockets.size < 24) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(callDeadline - 1)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  await Promise.all(calls)
  expect(ended).toEqual(Array(60).fill(expect.objectContaining(silent)))
  expect(sockets.size).toBe(24)
})
