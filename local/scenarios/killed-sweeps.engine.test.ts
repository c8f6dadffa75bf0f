import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeClient } from '../../adapters/dynamo/client.ts'
import { table } from '../../adapters/dynamo/table.ts'
import { withExpiryIndex } from '../../adapters/store/expiry-index.ts'
import type { Table } from '../../adapters/store/table.ts'
import { testAddress } from '../harness/dynamo-table.ts'
import { rowsOfRing } from '../harness/rings.ts'
import {
  api,
  logIn,
  newPlace,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const client = storeClient(testAddress(place.env.SERVICE_DYNAMODB_TABLE))
const items: Table = table(client)
let running: Running
let token: string

const get = async (path: string) => (await api(running, 'GET', path, { token })).json

async function kill() {
  running.child.kill('SIGKILL')
  await running.ended
}

async function startAgain() {
  running = await startIn(place)
  token = await logIn(place, running)
}

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  await place.remove()
  client.close()
})

/** Changes settings so often that the audit trail has this many more blocks. */
async function givenBlocks(count: number) {
  for (let done = 0; done < count; done += 1) {
    const body = { 'retention.days': 90 + (done % 2) }
    const { status } = await api(running, 'PUT', '/settings', { token, body })
    expect(status).toBe(200)
  }
}

const oldest = async () => (await get('/audit/export'))[0].seq as number

const moments = [5, 60, 120]

test.each(rowsOfRing(moments, (at) => at === 60))(
  'audit trim, killed after %i ms: the chain verifies, and the same trim removes the rest',
  async (at) => {
    await givenBlocks(60)
    const rows = await get('/audit/export')
    const { seq, mac } = rows.at(-20)
    const body = { sequence: seq, mac }
    const trimming = api(running, 'POST', '/audit/trim', { token, body }).catch(() => {})
    await pause(at)
    await kill()
    await trimming
    await startAgain()
    expect(await get('/audit/verify')).toMatchObject({ ok: true })
    const again = await api(running, 'POST', '/audit/trim', { token, body })
    expect([again.status, again.json.error]).toEqual([200, undefined])
    expect(await oldest()).toBe(again.json.sequence + 1)
    expect(again.json.sequence).toBeGreaterThan(seq - 100)
    expect(await get('/audit/verify')).toMatchObject({ ok: true })
  },
)

const hour = 3_600_000
const partition = unique('killed')

/** Names of settings and accounts, which no sweep may remove. */
const names = async () => [
  Object.keys(await get('/settings')),
  (await get('/users')).map(({ username }: { username: string }) => username),
]

async function givenExpired(count: number) {
  const expired = Math.floor((Date.now() - 2 * hour) / 1000)
  for (let done = 0; done < count; done += 40) {
    const puts = Array.from({ length: 40 }, (_, index) =>
      items.put(withExpiryIndex({ pk: partition, sk: String(done + index), ttl: expired })),
    )
    await Promise.all(puts)
  }
}

const left = async () => (await items.query(partition)).length

/** Ends the lease of the killed sweep, so that the next start need not wait for it. */
async function endLease() {
  // The store may still carry out the last write of the killed process. Then the next sweep begins
  // a minute later, and the test takes longer.
  await pause(300)
  await items.removeMany([{ pk: 'lease#retention', sk: '-' }])
}

/** So many that the second kill hits the sweep too. */
const rows = 1600

/** Waits until a sweep has removed some of this many rows. Returns how many are left. */
const untilFewerThan = (count: number) => until(left, (now) => now < count || now === 0, 120)

test('a retention sweep that is killed twice resumes and removes nothing else', async () => {
  const kept = await names()
  await givenExpired(rows)
  let count = rows
  for (let kills = 0; kills < 2; kills += 1) {
    await kill()
    await endLease()
    await startAgain()
    count = await untilFewerThan(count)
  }
  await kill()
  await endLease()
  await startAgain()
  // A sweep that stops early goes on a minute later.
  await until(left, (now) => now === 0, 100)
  expect(await names()).toEqual(kept)
  expect(await get('/audit/verify')).toMatchObject({ ok: true })
})
