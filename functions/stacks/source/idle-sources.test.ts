import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import {
  changedShop,
  givenFollowed,
  olga,
  path,
  sourceFile,
} from '../../../local/harness/followed-source.ts'
import { givenStack, shop } from '../../../local/harness/world.ts'
import updateSource from '../../sources/update.ts'
import getStack from '../get.ts'
import update from './update.ts'

/** The time between two runs of the schedules. Milliseconds. */
const tick = 10_000
const hour = 3_600_000
/** The most looks of a source in an hour, which may be asked each minute. */
const looksMax = 61

type Given = Awaited<ReturnType<typeof givenFollowed>>

/** Runs the schedules for an hour. Returns the requests in this time. */
async function anHour({ run, requests }: Given): Promise<string[]> {
  const before = requests.length
  for (let waited = 0; waited < hour; waited += tick) await run(tick)
  return requests.slice(before)
}

const looksIn = (requests: string[]) => requests.filter((one) => one.startsWith('look'))
const opensIn = (requests: string[]) => requests.filter((one) => one.startsWith('open'))

/** Makes the source one that is asked each minute, and has it and its stack at rest. */
async function eachMinute(given: Given) {
  const body = { look_every_seconds: 60 }
  const sent = { ports: given.ports, as: olga, path, body }
  expect((await call(updateSource, sent)).status).toBe(200)
  await given.run()
  await given.run(tick)
}

const names = Array.from({ length: 200 }, (_, at) => `app-${at}`)
/** Two that are deployed: one whose folder changes, and one whose folder does not. */
const deployed = 'app-7'
const other = 'app-8'

/** Publishes a folder for each stack. That of one of them may have other files. */
function publishAll({ ports: { sourceReader } }: Given, revision: string, changed?: string) {
  const folders = names.map((name) => {
    const isOther = name === changed
    const files = [sourceFile('compose.yaml', isOther ? changedShop : shop)]
    return [`apps/${name}`, { id: isOther ? `${name}-2` : name, files }] as const
  })
  sourceReader.revisions.set(revision, Object.fromEntries(folders))
  sourceReader.refs.set('oci://registry.example.org/team/shop at 1', revision)
}

const containersOf = ({ here }: Given, stack: string) =>
  [...here.engine.state.containers.values()]
    .filter(({ name }) => name.startsWith(`${stack}-`))
    .map(({ id, startedAt }) => `${id} ${startedAt}`)

test('200 stacks of a repository are one look in a period, and one read for a change', async () => {
  const given = await givenFollowed()
  const { ports, here } = given
  publishAll(given, 'c1')
  for (const name of names) {
    await givenStack(here, name, { deployed: name === deployed || name === other })
    const body = { source: 'shop', path: `apps/${name}`, on_change: 'deploy' as const }
    const bound = await call(update, { ports, as: olga, path: { name }, body })
    expect([name, bound.status]).toEqual([name, 200])
  }
  const before = given.requests.length
  await eachMinute(given)
  expect(opensIn(given.requests.slice(before))).toEqual(['open c1'])
  const idle = await anHour(given)
  expect(opensIn(idle)).toEqual([])
  expect(idle.length).toBeGreaterThan(looksMax / 2)
  expect(idle.length).toBeLessThanOrEqual(looksMax)

  const untouched = containersOf(given, other)
  expect(untouched).toHaveLength(2)
  publishAll(given, 'c2', deployed)
  const pushed = await anHour(given)
  expect(opensIn(pushed)).toEqual(['open c2'])
  expect(looksIn(pushed).length).toBeLessThanOrEqual(looksMax)
  const begun = await Promise.all(names.map((name) => ports.deployments.listByStack(name, 10)))
  const followed = begun.flat().filter(({ options }) => options.source)
  expect(followed.map(({ stack, status }) => [stack, status])).toEqual([[deployed, 'succeeded']])
  expect(containersOf(given, other)).toEqual(untouched)
  const read = { ports, as: olga, path: { name: deployed } } as const
  expect((await call(getStack, read)).json.compose).toBe(changedShop)
})

/** Adds sources like the one that is there, each with what it changes. */
async function addSources({ ports }: Given, count: number, change: (at: number) => object) {
  const { revision: _, ...source } = present(await ports.sources.find('shop'))
  for (let at = 1; at < count; at += 1) {
    expect(await ports.sources.create({ ...source, id: `s${at}`, ...change(at) })).toBe(true)
  }
}

test('200 idle sources are asked 61 times in an hour at the most, even at their earliest', async () => {
  const given = await givenFollowed()
  const { ports } = given
  await eachMinute(given)
  // Each look is planned as early as its period allows.
  ports.random.bytes = (count) => new Uint8Array(count)
  const urlOf = (at: number) => `oci://registry.example.org/team/s${at}`
  await addSources(given, 200, (at) => {
    ports.sourceReader.refs.set(`${urlOf(at)} at 1`, 'r1')
    return { url: urlOf(at) }
  })
  const requests = await anHour(given)
  expect(opensIn(requests)).toEqual([])
  const counts = new Map<string, number>()
  for (const one of requests) counts.set(one, (counts.get(one) ?? 0) + 1)
  expect(counts.size).toBe(200)
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(looksMax)
  expect(Math.min(...counts.values())).toBeGreaterThan(looksMax / 2)
})

test('sources with the same place and credentials are one request in a period', async () => {
  const given = await givenFollowed()
  await eachMinute(given)
  await addSources(given, 50, () => ({}))
  const requests = await anHour(given)
  expect(requests.length).toBeGreaterThan(looksMax / 2)
  expect(requests.length).toBeLessThanOrEqual(looksMax)
})
