import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import { storeFormatRecord } from '../../adapters/store/store-format.ts'
import type { Table } from '../../adapters/store/table.ts'
import { present } from '../../adapters/testing/present.ts'
import { version } from '../../functions/core/version.ts'
import { countPeople, givenPeople } from '../harness/example-migration.ts'
import { api, logIn, type Place, setUpAdmin, startIn, until } from '../harness/service.ts'
import {
  converting,
  copiesOf,
  linesOf,
  nextVersion,
  refusal,
  restoreCopy,
  startUntil,
  stop,
  upgradeWorld,
} from '../harness/upgrade.ts'

// They wait for leases and for older processes most of the time.
const world = upgradeWorld()

const dataOf = ({ env }: Place) => present(env.SERVICE_DATA_DIR)

/** Opens the file of a place, which services may use at the same time. */
async function inStore<T>(place: Place, work: (items: Table) => Promise<T>): Promise<T> {
  const file = join(dataOf(place), 'sqlite', 'store.db')
  const store = sqliteStore({ file, explain: async () => undefined })
  try {
    await store.ensure()
    return await work(store.items)
  } finally {
    await store.close()
  }
}
const people = (place: Place) => readIn(place, countPeople)
const format = (place: Place) => readIn(place, (items) => storeFormatRecord(items).find())

/** Reads until the store answers in time, because what a busy machine delays here is no promise. */
async function readIn<T>(place: Place, read: (items: Table) => Promise<T>): Promise<T> {
  const attempt = () =>
    inStore(place, read).then(
      (value) => ({ value }),
      (error: Error) => ({ error }),
    )
  const answer = await until(
    attempt,
    (one) => 'value' in one || !one.error.message.includes('does not respond'),
  )
  if ('error' in answer) throw answer.error
  return answer.value
}

/** Returns a place whose store has an admin and people, and in which nothing runs. */
async function filled(count: number): Promise<Place> {
  const place = world.newPlace({ SERVICE_STORE: 'sqlite', SERVICE_DYNAMODB_ENDPOINT: '' })
  const first = await startIn(place)
  await setUpAdmin(place, first)
  await stop(first)
  await inStore(place, (items) => givenPeople(items, count))
  return place
}

/** Leaves what a process leaves that is killed while it copies the store. */
function leaveHalfCopy(place: Place): void {
  const half = join(dataOf(place), 'store-copies', '2026-01-01T00-00-00-000Z.unfinished')
  mkdirSync(half, { recursive: true })
  writeFileSync(join(half, 'items.ndjson.gz'), 'half')
}

/** Starts the next release and kills it when it has converted some of the people. */
async function killHalfWay(place: Place): Promise<void> {
  const killed = await startUntil(world.next(place, { EXAMPLE_PAUSE: '100' }), converting)
  await inStore(place, (items) =>
    until(
      () => countPeople(items),
      ({ second }) => second > 0,
    ),
  )
  killed.child.kill('SIGKILL')
  await killed.ended
}

test.concurrent('a killed conversion resumes; the copy works with the older release', async () => {
  const place = await filled(100)
  leaveHalfCopy(place)
  await killHalfWay(place)
  const half = await people(place)
  expect(half.first).toBeGreaterThan(0)
  expect(half.second).toBeGreaterThan(0)
  expect(await format(place)).toMatchObject({ readableBy: 2, writtenBy: 1 })

  for (const words of [[], ['--check']]) {
    const older = await refusal(place, words)
    expect(older).toContain('ended with 1')
    expect(older).toContain(
      `Version ${nextVersion} of the service has changed the store to format 2.`,
    )
    expect(older).toContain(`This is version ${version}, which reads formats up to 1.`)
  }
  expect(await people(place)).toEqual(half)

  const again = await startIn(world.next(place))
  await logIn(place, again)
  await stop(again)
  expect(await people(place)).toEqual({ first: 0, second: 100 })
  expect(await format(place)).toEqual({ readableBy: 2, writtenBy: 2, version: nextVersion })

  const [copy, ...more] = copiesOf(place)
  expect(more).toEqual([])
  const copied = linesOf(copy, 'items').filter(({ pk }) => pk.S === 'people')
  expect(copied).toHaveLength(100)
  expect(copied.every(({ name }) => name.S.startsWith('Ann Lee'))).toBe(true)

  expect((await restoreCopy(place, present(copy))).stderr).toContain('is not empty')
  renameSync(join(dataOf(place), 'sqlite'), join(dataOf(place), 'newer'))
  expect(await restoreCopy(place, present(copy))).toMatchObject({ status: 0, stderr: '' })
  const older = await startIn(place)
  const token = await logIn(place, older)
  // The login with the next release is lost. What is kept outside the store says so.
  const audit = (await api(older, 'GET', '/audit/verify', { token })).json
  expect(audit).toMatchObject({ ok: false, problems: [{ kind: 'missing' }] })
  await stop(older)
  expect(await people(place)).toEqual({ first: 100, second: 0 })
})

test.concurrent('the file is not converted while an older process uses it', async () => {
  const place = await filled(10)
  const older = await startIn(place)
  const reason = await refusal(world.next(place))
  expect(reason).toContain('The store cannot be converted to format 2')
  expect(reason).toContain(`version ${version}, which cannot read it, is still running`)
  expect(await people(place)).toEqual({ first: 10, second: 0 })
  expect(copiesOf(place)).toEqual([])

  await stop(older)
  await stop(await startIn(world.next(place)))
  expect(await people(place)).toEqual({ first: 0, second: 10 })
})

test.concurrent('the file is converted by one of several processes that start at once', async () => {
  const place = await filled(50)
  const slow = world.next(place, { EXAMPLE_PAUSE: '20' })
  const started = await Promise.all([startIn(slow), startIn(slow)])
  expect(await people(place)).toEqual({ first: 0, second: 50 })
  const lines = started.flatMap((one) => one.lines)
  expect(lines.filter((line) => line.includes(converting))).toHaveLength(1)
  expect(copiesOf(place)).toHaveLength(1)
})
