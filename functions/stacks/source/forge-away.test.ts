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
import { shop } from '../../../local/harness/world.ts'
import { evaluateHost } from '../../core/alerts/evaluate-host.ts'
import { alertRule } from '../../core/alerts/rule-samples.ts'
import { SourceFailure, type SourceProblem } from '../../core/ports/source-reader.ts'
import get from './get.ts'

const minute = 60_000
const hour = 60 * minute
/** The time between two runs of the schedules. */
const tick = 10_000
/** The longest time between two looks that succeed: the period of 5 minutes with its jitter. */
const period = 5.5 * minute
/** How far ahead of the clock a look may be planned before it counts as planned by a wrong one. */
const skew = 5 * minute

const reference = 'oci://registry.example.org/team/shop at 1'

/** A stack that follows a source, which was read once. */
async function given() {
  const followed = await givenFollowed({})
  await followed.run()
  const { ports, here, requests } = followed
  const fails = (problem: SourceProblem) =>
    ports.sourceReader.refs.set(reference, new SourceFailure(problem, 'it does not respond'))
  const looks = () => requests.filter((one) => one.startsWith('look')).length
  /** Runs the schedules until something holds. Returns how long that took, in milliseconds. */
  const until = async (holds: () => boolean | Promise<boolean>, most: number) => {
    let waited = 0
    while (!(await holds())) {
      if (waited > most) throw new Error(`it does not hold after ${waited / minute} minutes`)
      await followed.run(tick)
      waited += tick
    }
    return waited
  }
  const nextLook = (most: number) => {
    const before = looks()
    return until(() => looks() > before, most)
  }
  const shown = async () => (await call(get, { ports, as: olga, path })).json
  const containers = () =>
    [...here.engine.state.containers.values()].map(({ id, startedAt }) => `${id} ${startedAt}`)
  return { ...followed, fails, looks, until, nextLook, shown, containers }
}

type Given = Awaited<ReturnType<typeof given>>

/** An alert rule for stacks that do not follow their source, and what it told. */
async function alerting({ ports }: Given) {
  const condition = { metric: 'source_failed', operator: 'eq', threshold: 1 } as const
  await ports.alertRules.create(alertRule({ name: 'rule', ...condition }))
  return async () => {
    const host = present(await ports.hosts.find('local'))
    const lease = present(await ports.leases.acquire('look:local', 'p1', 20_000))
    await evaluateHost(host, lease, 15_000, ports)
    const { events } = await ports.alertEvents.list({ limit: 100 })
    return events.toReversed().map(({ subject, state }) => `${subject.name} ${state}`)
  }
}

test('a forge that is away for two hours is followed within a period of its return', async () => {
  const here = await given()
  const before = here.containers()
  here.fails('unreachable')
  const waits: number[] = []
  let seen = here.looks()
  for (let waited = 0; waited < 2 * hour; waited += tick) {
    await here.run(tick)
    if (here.looks() === seen) continue
    seen = here.looks()
    const { last_error: error, last_looked_at: last, next_look_at: next } = await here.shown()
    expect(error).toMatchObject({ reason: 'unreachable', next_at: next })
    waits.push((Date.parse(next) - Date.parse(last)) / minute)
  }
  // Twice as long each time, 10 % more or less, and the period at the most.
  const planned = [1, 2, 4]
  const isPlanned = (wait: number, at: number) => Math.abs(wait / (planned[at] ?? 5) - 1) < 0.101
  expect(waits.filter((wait, at) => !isPlanned(wait, at))).toEqual([])
  expect(waits.length).toBeGreaterThan(20)
  expect(here.containers()).toEqual(before)
  here.publish('r2', { 'compose.yaml': changedShop })
  const left = Date.parse((await here.shown()).next_look_at) - here.ports.clock.now()
  const isSynced = async () => (await here.shown()).synced?.revision === 'r2'
  const waited = await here.until(isSynced, period)
  expect(waited).toBeLessThanOrEqual(Math.max(left, 0) + tick)
  expect(await here.shown()).toMatchObject({ last_error: null, is_waiting: false })
  expect(await here.nextLook(period)).toBeLessThanOrEqual(period + tick)
})

test.each([
  ['unreachable', 3],
  ['limited', 2],
  ['denied', 1],
  ['no-such-ref', 1],
] as const)('an alert fires while looks fail, and ends with them: %s', async (problem, after) => {
  const here = await given()
  const told = await alerting(here)
  expect(await told()).toEqual([])
  const longest = problem === 'unreachable' ? period : 1.1 * hour
  here.fails(problem)
  // The first looks without an answer are no reason for an alert.
  for (let failures = 1; failures < after; failures += 1) {
    await here.nextLook(longest)
    expect(await told()).toEqual([])
  }
  await here.nextLook(longest)
  expect(await told()).toEqual(['shop firing'])
  await here.nextLook(longest)
  expect(await told()).toEqual(['shop firing'])
  here.publish('r1', { 'compose.yaml': shop })
  await here.nextLook(longest)
  expect(await told()).toEqual(['shop firing', 'shop resolved'])
})

test('why looks fail is not in the alert', async () => {
  const here = await given()
  const told = await alerting(here)
  here.ports.sourceReader.refs.set(reference, new SourceFailure('denied', 'puller has no right'))
  await here.nextLook(period)
  await told()
  const { events } = await here.ports.alertEvents.list({ limit: 100 })
  expect(events).toHaveLength(1)
  expect(JSON.stringify(events)).toContain('users who may manage sources can see the reason')
  expect(JSON.stringify(events)).not.toContain('puller')
})

test('looks go on within a period while the clock jumps an hour ahead and back', async () => {
  const here = await given()
  const { clock } = here.ports
  for (const [at, jump] of [hour, -hour, -hour, hour].entries()) {
    clock.jump(jump)
    const revision = `r${at + 2}`
    here.publish(revision, { 'compose.yaml': `x-number: ${at}\n${changedShop}` })
    const isSynced = async () => (await here.shown()).synced?.revision === revision
    const waited = await here.until(isSynced, period)
    expect(waited).toBeLessThanOrEqual(period + tick)
    expect((await here.shown()).last_error).toBeNull()
  }
})

test('a look that failed under a clock that was ahead is not awaited for longer', async () => {
  const here = await given()
  const { clock } = here.ports
  here.fails('unreachable')
  clock.jump(hour)
  await here.nextLook(period)
  clock.jump(-hour)
  expect(await here.nextLook(period + skew)).toBeLessThanOrEqual(period + skew + tick)
})

test('a sync that failed under a clock that was ahead is tried again', async () => {
  const here = await given()
  const { clock, sourceReader } = here.ports
  sourceReader.refs.set(reference, 'r2')
  sourceReader.revisions.set('r2', { other: { id: 'o', files: [sourceFile('a', 'b')] } })
  clock.jump(hour)
  const isFailed = async () => (await here.shown()).last_error?.reason === 'no-such-folder'
  await here.until(isFailed, period)
  clock.jump(-hour)
  here.publish('r2', { 'compose.yaml': changedShop })
  const isSynced = async () => (await here.shown()).synced?.revision === 'r2'
  expect(await here.until(isSynced, period)).toBeLessThanOrEqual(period + tick)
})
