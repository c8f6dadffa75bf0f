import { expect, test } from 'vitest'
import type { StoreClient } from '../dynamo/client.ts'
import { watchCalls } from './watched-client.ts'

type Call = { resolve(value: unknown): void; reject(error: Error): void }

/** Returns a watched client whose calls end when the test says so. */
function heldClient() {
  const calls: Call[] = []
  const inner: StoreClient = {
    table: 't',
    send: () => new Promise((resolve, reject) => calls.push({ resolve: resolve as never, reject })),
    close() {},
  }
  const client = watchCalls(inner)
  return { calls, client, send: () => client.send(async () => undefined) }
}

test('waits for calls in progress, also for those that fail', async () => {
  const { calls, client, send } = heldClient()
  const failing = expect(send()).rejects.toThrow('no')
  const other = send()
  const order: string[] = []
  const idle = client.idle().then(() => order.push('idle'))
  calls[0]?.reject(new Error('no'))
  await failing
  order.push('first ended')
  calls[1]?.resolve(undefined)
  await other
  await idle
  expect(order).toEqual(['first ended', 'idle'])
})

test('waits for a call that follows from another', async () => {
  const { calls, client, send } = heldClient()
  const order: string[] = []
  const chain = send()
    .then(() => send())
    .then(() => order.push('second ended'))
  const idle = client.idle().then(() => order.push('idle'))
  calls[0]?.resolve(undefined)
  await expect.poll(() => calls.length).toBe(2)
  calls[1]?.resolve(undefined)
  await Promise.all([chain, idle])
  expect(order).toEqual(['second ended', 'idle'])
})

test('does not wait if there is no call', async () => {
  await expect(heldClient().client.idle()).resolves.toBeUndefined()
})
