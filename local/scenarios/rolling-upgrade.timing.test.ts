/** Timing: a process that stops sending signs of life for 20 s counts as dead. */

import { afterAll, expect, test, vi } from 'vitest'
import { logsOf, type StoreClient, storeClient } from '../../adapters/dynamo/client.ts'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { table } from '../../adapters/dynamo/table.ts'
import { storedProcesses } from '../../adapters/store/processes.ts'
import { storeFormatRecord } from '../../adapters/store/store-format.ts'
import { memoryClock } from '../../adapters/testing/memory/clock.ts'
import { present } from '../../adapters/testing/present.ts'
import { version } from '../../functions/core/version.ts'
import { testAddress } from '../harness/dynamo-table.ts'
import { countPeople, givenPeople } from '../harness/example-migration.ts'
import { api, cli, logIn, type Place, setUpAdmin, startIn, until } from '../harness/service.ts'
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

// They wait for the silence of processes much of the time. Those that wait longest come first. With
// six at a time, their processes kept a slow machine and its store so busy that it did not respond.
vi.setConfig({ maxConcurrency: 3 })

const world = upgradeWorld()
const clients: StoreClient[] = []

afterAll(() => {
  for (const client of clients) client.close()
})

/** Returns the place as this version uses it with another table. */
const withTable = (place: Place, name: string): Place => ({
  ...place,
  env: { ...place.env, SERVICE_DYNAMODB_TABLE: name },
})

/** A running service of this version, with people in its store. */
async function running(count = 10) {
  const place = world.newPlace()
  const client = storeClient(testAddress(place.env.SERVICE_DYNAMODB_TABLE))
  clients.push(client)
  await ensureTable(client)
  const first = await startIn(place)
  await setUpAdmin(place, first)
  await givenPeople(table(client), count)
  const format = () => storeFormatRecord(table(client)).read()
  const versions = async () =>
    (await storedProcesses(table(client), memoryClock()).othersOf('this test')).map(
      (one) => one.version,
    )
  return { place, client, first, format, versions, people: () => countPeople(table(client)) }
}

test.concurrent('a process that is paused while it converts loses that work to another one', async () => {
  const { place, first, people, format } = await running(60)
  await stop(first)
  const slow = await startUntil(world.next(place, { EXAMPLE_PAUSE: '200' }), converting)
  slow.child.kill('SIGSTOP')
  const other = await startIn(world.next(place))
  expect(other.lines.join('\n')).toContain(converting)
  expect(await people()).toEqual({ first: 0, second: 60 })
  slow.child.kill('SIGCONT')
  await slow.until('"the service listens"')
  expect(await people()).toEqual({ first: 0, second: 60 })
  expect(await format()).toMatchObject({ readableBy: 2, writtenBy: 2 })
  slow.child.kill()
  await slow.ended
})

test.concurrent('a shared store is not converted while an older process uses it', async () => {
  const { place, first, people, format, versions } = await running()
  const reason = await refusal(world.next(place))
  expect(reason).toContain('The store cannot be converted to format 2')
  expect(reason).toContain(`version ${version}, which cannot read it, is still running`)
  expect(await people()).toEqual({ first: 10, second: 0 })
  expect(await format()).toMatchObject({ readableBy: 1, writtenBy: 1 })
  expect(copiesOf(place)).toEqual([])

  const waiting = startIn(world.next(place))
  await until(versions, (all) => all.includes(nextVersion))
  expect(await people()).toEqual({ first: 10, second: 0 })
  expect(await stop(first)).toBe(0)
  await waiting
  expect(await people()).toEqual({ first: 0, second: 10 })
})

test.concurrent('an older process that was paused meanwhile ends when it wakes up', async () => {
  const { place, first, people } = await running()
  first.child.kill('SIGSTOP')
  await startIn(world.next(place))
  expect(await people()).toEqual({ first: 0, second: 10 })
  first.child.kill('SIGCONT')
  expect(await first.ended).toBe(1)
  expect(first.lines.join('\n')).toContain('has changed the store to format 2')
  for (const words of [[], ['--check']]) {
    const said = await refusal(place, words)
    expect(said).toContain('ended with 1')
    expect(said).toContain(`This is version ${version}, which reads formats up to 1.`)
  }
})

test.concurrent('a shared store is exported before it is converted; the copy in new tables serves the older release', async () => {
  const { place, client, first } = await running()
  await table(logsOf(client)).put({ pk: 'example', sk: '1', text: 'kept' })
  await stop(first)
  await stop(await startIn(world.next(place)))
  const [copy] = copiesOf(place)
  expect(linesOf(copy, 'items').filter(({ pk }) => pk.S === 'people')).toHaveLength(10)
  expect(linesOf(copy, 'logs')).toContainEqual({
    pk: { S: 'example' },
    sk: { S: '1' },
    text: { S: 'kept' },
  })

  const older = withTable(place, `${place.env.SERVICE_DYNAMODB_TABLE}-older`)
  const restored = await restoreCopy(older, present(copy))
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  expect((await restoreCopy(older, present(copy))).stderr).toContain('is not empty')
  expect((await restoreCopy(older, place.directory)).stderr).toContain('is not a copy of a store')
  const again = await startIn(older)
  const token = await logIn(older, again)
  expect((await api(again, 'GET', '/audit/verify', { token })).json.ok).toBe(true)
  const restoredClient = storeClient(testAddress(older.env.SERVICE_DYNAMODB_TABLE))
  clients.push(restoredClient)
  expect(await countPeople(table(restoredClient))).toEqual({ first: 10, second: 0 })
})

test.concurrent('a client and a service that are one minor version apart work together', async () => {
  const place = world.newPlace()
  for (const [service, client] of [
    [place, world.next(place)],
    [world.next(place), place],
  ] as const) {
    const running = await startIn(service)
    const token = await setUpAdmin(place, running).catch(() => logIn(place, running))
    const words = (text: string) => [...text.split(' '), '--server', running.url, '--token', token]
    const both = await cli(client, words('version'))
    expect(both).toMatchObject({ code: 0, stderr: '' })
    expect(both.stdout).toContain(nextVersion)
    expect(both.stdout).toContain(version)
    for (const text of ['stacks list', 'hosts list', 'whoami', 'audit list', 'settings list'])
      expect(await cli(client, words(text))).toMatchObject({ code: 0 })
    const info = await api(running, 'GET', '/version', { token })
    expect(info.json.version).toBe(service === place ? version : nextVersion)
    await stop(running)
  }
})

test.concurrent('a shared store is converted again after a release that writes the older format', async () => {
  const { place, first, client, people, format } = await running()
  await stop(first)
  const middle = await startIn(await world.between(place))
  const one = await startIn(world.next(place))
  expect(await people()).toEqual({ first: 0, second: 10 })
  expect(await format()).toMatchObject({ readableBy: 2, writtenBy: 1 })
  await table(client).put({ pk: 'people', sk: '0099', name: 'Ann Lee 0099', rev: 1 })
  await stop(middle)
  await stop(one)
  const two = await startIn(world.next(place))
  expect(await people()).toEqual({ first: 0, second: 11 })
  expect(await format()).toMatchObject({ readableBy: 2, writtenBy: 2 })
  await stop(two)
  await startIn(await world.between(place))
  expect(await format()).toMatchObject({ readableBy: 2, writtenBy: 1 })
  expect(copiesOf(place)).toHaveLength(1)
})

test.concurrent('a process that is stopped while it converts ends at once, and the next one goes on', async () => {
  const { place, first, people } = await running(60)
  await stop(first)
  const slow = await startUntil(world.next(place, { EXAMPLE_PAUSE: '1000' }), converting)
  slow.child.kill('SIGTERM')
  expect(await slow.ended).toEqual([1, null])
  expect((await people()).first).toBeGreaterThan(0)
  await startIn(world.next(place))
  expect(await people()).toEqual({ first: 0, second: 60 })
  expect(copiesOf(place)).toHaveLength(1)
})

test.concurrent('a shared store is converted by one of several processes that start at once', async () => {
  const { place, first, people } = await running(50)
  await stop(first)
  const slow = world.next(place, { EXAMPLE_PAUSE: '20' })
  const started = await Promise.all([startIn(slow), startIn(slow), startIn(slow)])
  expect(await people()).toEqual({ first: 0, second: 50 })
  const lines = started.flatMap((one) => one.lines)
  expect(lines.filter((line) => line.includes('"the store is being converted"'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('waiting for another process'))).toHaveLength(2)
  expect(copiesOf(place)).toHaveLength(1)
})
