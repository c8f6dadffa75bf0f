/** Timing: a call to a store that hangs fails within 3 s. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { present } from '../../../local/harness/present.ts'
import { storeClient } from '../../dynamo/client.ts'
import { ensureTable } from '../../dynamo/create-table.ts'
import { dynamoStore } from '../../dynamo/store.ts'
import { storedPorts } from '../../store/stores.ts'
import { account } from '../../testing/contract/samples.ts'
import { memoryClock } from '../../testing/memory/clock.ts'
import { localHost } from '../../testing/memory/hosts.ts'
import { type LocalStore, start } from './dynamodb-local.ts'

// A JVM is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

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

/** Returns the answer, or `late` after a timeout. */
const within = <T>(milliseconds: number, answer: Promise<T>) =>
  Promise.race([answer, delay(milliseconds, 'late' as const)])

/** Polls until there is an answer. */
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

test('500: a store that hangs fails within three seconds, then works again', async () => {
  const pid = present(store.pid())
  process.kill(pid, 'SIGSTOP')
  try {
    const answers = await within(3000, Promise.allSettled(manyReads()))
    expect(answers).toEqual(
      Array(60).fill({ status: 'rejected', reason: expect.objectContaining(failure) }),
    )
    const write = stores.accounts.create(account('2', 'bob'))
    await expect(within(3000, write)).rejects.toMatchObject(failure)
    const lease = { name: 'a', holder: 'me', fence: 1, length: 0, renewedAt: 0 }
    const andRelease = stores.leases
      .acquire('a', 'me', 1000)
      .finally(() => stores.leases.release(lease))
    await expect(within(3000, andRelease)).rejects.toMatchObject(failure)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const back = await within(
    2000,
    untilAnswered(() => stores.accounts.find('1')),
  )
  expect(back).toMatchObject({ username: 'ada' })
})

test('a start waits for a store that answers later than the timeout of a request', async () => {
  const pid = present(store.pid())
  process.kill(pid, 'SIGSTOP')
  setTimeout(() => process.kill(pid, 'SIGCONT'), 4000)
  await ensureTable(client)
  expect(await stores.accounts.find('1')).toBeDefined()
})

test('500: a store that is down fails within three seconds, and is restarted with its data', async () => {
  const pid = present(store.pid())
  const inFlight = Promise.allSettled(manyReads())
  process.kill(pid, 'SIGKILL')
  await expect(within(3000, stores.accounts.find('1'))).rejects.toMatchObject(failure)
  await inFlight
  const back = await untilAnswered(() => stores.accounts.find('1'))
  expect(back).toMatchObject({ username: 'ada' })
  expect(store.pid()).not.toBe(pid)
})

test('refuses a second start in the same directory while the first store runs', async () => {
  await expect(start(directory)).rejects.toThrow(`belongs to process ${process.pid}`)
  expect(await stores.accounts.find('1')).toBeDefined()
})
