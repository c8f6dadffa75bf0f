/** Timing: suspends and kills a store, and waits for the deadlines of real calls. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeClient } from '../../dynamo/client.ts'
import { ensureTable } from '../../dynamo/create-table.ts'
import { dynamoStore } from '../../dynamo/store.ts'
import { storedPorts } from '../../store/stores.ts'
import { account } from '../../testing/contract/samples.ts'
import { memoryClock } from '../../testing/memory/clock.ts'
import { localHost } from '../../testing/memory/hosts.ts'
import { present } from '../../testing/present.ts'
import { type LocalStore, start } from './dynamodb-local.ts'

const directory = mkdtempSync(join(tmpdir(), 'container-stacks-outage-'))
let store: LocalStore
let client: ReturnType<typeof storeClient>
let stores: ReturnType<typeof storedPorts>

beforeAll(async () => {
  store = await start(directory)
  client = storeClient({ ...store, table: 'container-stacks' })
  await ensureTable(client)
  const keys = { current: 'k', keys: { k: randomBytes(32) } }
  stores = storedPorts(dynamoStore(client), {
    clock: memoryClock(),
    local: localHost,
    pinned: {},
    keys,
  })
  await stores.accounts.create(account('1', 'ada'))
})

afterAll(async () => {
  client.close()
  await store.stop()
  rmSync(directory, { recursive: true })
})

/** Polls until there is an answer. The timeout of the test ends it. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    await delay(50)
  }
}

const failure = { status: 500, message: 'The store does not respond' }
/** More calls than there are connections. */
const manyReads = () => Array.from({ length: 60 }, () => stores.accounts.find('1'))

test('500: calls to a store that hangs fail while it hangs, and work again afterwards', async () => {
  const pid = present(store.pid())
  process.kill(pid, 'SIGSTOP')
  try {
    const answers = await Promise.allSettled(manyReads())
    expect(answers).toEqual(
      Array(60).fill({ status: 'rejected', reason: expect.objectContaining(failure) }),
    )
    const write = stores.accounts.create(account('2', 'bob'))
    await expect(write).rejects.toMatchObject(failure)
    const lease = { name: 'a', holder: 'me', fence: 1, length: 0, renewedAt: 0 }
    const andRelease = stores.leases
      .acquire('a', 'me', 1000)
      .finally(() => stores.leases.release(lease))
    await expect(andRelease).rejects.toMatchObject(failure)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const back = await untilAnswered(() => stores.accounts.find('1'))
  expect(back).toMatchObject({ username: 'ada' })
})

test('a start waits for a store that answers later than the timeout of a request', async () => {
  const pid = present(store.pid())
  process.kill(pid, 'SIGSTOP')
  let timeouts = 0
  // Continues during a call with the full timeout: those right after a timeout have a short one.
  const send: typeof client.send = async (call) => {
    const long = setTimeout(() => timeouts > 0 && process.kill(pid, 'SIGCONT'), 1000)
    try {
      return await client.send(call)
    } catch (error) {
      timeouts += 1
      throw error
    } finally {
      clearTimeout(long)
    }
  }
  await ensureTable({ ...client, send })
  expect(timeouts).toBeGreaterThan(0)
  expect(await stores.accounts.find('1')).toBeDefined()
})

test('500: calls to a store that is down fail, and it is restarted with its data', async () => {
  const pid = present(store.pid())
  const inFlight = Promise.allSettled(manyReads())
  process.kill(pid, 'SIGKILL')
  await expect(stores.accounts.find('1')).rejects.toMatchObject(failure)
  await inFlight
  const back = await untilAnswered(() => stores.accounts.find('1'))
  expect(back).toMatchObject({ username: 'ada' })
  expect(store.pid()).not.toBe(pid)
})

test('refuses a second start in the same directory while the first store runs', async () => {
  await expect(start(directory)).rejects.toThrow(`belongs to process ${process.pid}`)
  expect(await stores.accounts.find('1')).toBeDefined()
})
