import { expect, test } from 'vitest'
import { backupJob, backupRun, deployment, stack } from '../../adapters/contract/samples.ts'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { stateId } from '../core/retention/state.ts'
import sweep from './sweep.ts'

const hour = 3_600_000
const day = 24 * hour

/** Returns a store, and a function that sweeps it every hour for a given time. */
function world() {
  const ports = memoryPorts({ clock: runningClock() })
  const pass = async (long: number) => {
    for (let gone = 0; gone <= long; gone += hour) {
      await sweep.with(ports)()
      ports.clock.advance(hour)
    }
  }
  const keep = async (text: string) => ports.texts.put(text)
  const isKept = (digest: string) =>
    ports.texts.get(digest).then(
      () => true,
      () => false,
    )
  return { ports, pass, keep, isKept }
}

/** Returns a clock on which sleeping takes no time. */
function runningClock() {
  let now = 1_800_000_000_000
  return {
    now: () => now,
    monotonic: () => now,
    async sleep(_milliseconds: number, _signal?: AbortSignal) {},
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const filesOf = (digest: string) => ({ compose: digest, env: null, overlays: {}, others: {} })

test('texts of a deleted stack are gone two days later, and those in use stay', async () => {
  const { ports, pass, keep, isKept } = world()
  const [env, kept, written, rolledBack, other] = await Promise.all(
    ['SECRET=1', 'a', 'b', 'c', 'd'].map(keep),
  )
  await ports.stacks.create({ ...stack('shop'), files: { ...filesOf('x'), env: env! } })
  await ports.stacks.create({
    ...stack('web'),
    ...{ files: { ...filesOf(kept!), others: { 'bin/run': `${other};base64;x` } } },
    written: filesOf(written!),
  })
  const old = { ...deployment('d1', 'web'), status: 'succeeded' as const }
  const files = { ...filesOf('x'), overlays: { prod: rolledBack! } }
  await ports.deployments.create({ ...old, startedAt: ports.clock.now(), files })
  await pass(5 * day)
  expect(await isKept(env!)).toBe(true)
  await ports.stacks.remove('shop')
  await pass(2 * day)
  expect(await isKept(env!)).toBe(false)
  for (const digest of [kept, written, rolledBack, other]) expect(await isKept(digest!)).toBe(true)
})

test('a text without a record stays for a day after it was stored', async () => {
  const { pass, keep, isKept } = world()
  const digest = await keep('a')
  await pass(1.9 * day)
  expect(await isKept(digest)).toBe(true)
  await pass(2 * day)
  expect(await isKept(digest)).toBe(false)
})

test('a text that was found unused by a clock a year ahead goes in time once the clock is right', async () => {
  const { ports, pass, keep, isKept } = world()
  const digest = await keep('a')
  const [mark] = await ports.textMarks.list(undefined, 1)
  await ports.textMarks.markUnused(mark!, ports.clock.now() + 365 * day)
  await pass(4 * day)
  expect(await isKept(digest)).toBe(false)
})

test('nothing is removed while a clock is a year ahead for a day', async () => {
  const { ports, pass } = world()
  await ports.settings.save({ 'retention.deployments': 1, 'retention.days': 10 })
  await ports.stacks.create(stack('web'))
  const swept: number[] = []
  ports.expiredItems = {
    ...ports.expiredItems,
    removeHour: async (at) => {
      swept.push(at)
      return 0
    },
  }
  for (const id of ['d1', 'd2', 'd3']) {
    const startedAt = ports.clock.now()
    await ports.deployments.create({ ...deployment(id, 'web'), status: 'failed', startedAt })
  }
  await pass(2 * hour)
  swept.length = 0
  ports.clock.advance(365 * day)
  await pass(day)
  expect(swept).toEqual([])
  expect(await ports.deployments.listIds('web')).toHaveLength(3)
})

test('a text that is stored again while references are read is not removed', async () => {
  const { ports, pass, keep, isKept } = world()
  const digest = await keep('a')
  await pass(2 * day)
  const { list } = ports.stacks
  ports.stacks.list = async () => {
    const found = await list()
    await keep('a')
    return found
  }
  await pass(4 * day)
  expect(await isKept(digest)).toBe(true)
})

test('a record that copies a reference while references are read keeps its text', async () => {
  const { ports, pass, keep, isKept } = world()
  const digest = await keep('a')
  const first = { ...deployment('d1', 'web'), status: 'succeeded' as const, files: filesOf(digest) }
  await ports.stacks.create(stack('web'))
  await ports.deployments.create({ ...first, startedAt: ports.clock.now() })
  await pass(2 * day)
  // The sweep lists the deployments after d1 is removed and before d2 is created.
  const { listIds } = ports.deployments
  let swapped = false
  ports.deployments.listIds = async (name) => {
    const ids = await listIds(name)
    if (swapped) return ids
    swapped = true
    await ports.deployments.removeEnded('web', 'd1')
    await ports.deployments.create({ ...first, id: 'd2', startedAt: ports.clock.now() })
    return []
  }
  await pass(3 * day)
  expect(await isKept(digest)).toBe(true)
})

test('deployments beyond the newest ones go when they are old, the last one and one that runs never', async () => {
  const { ports, pass } = world()
  await ports.settings.save({ 'retention.deployments': 3, 'retention.days': 10 })
  await ports.stacks.create({ ...stack('web'), last: { deploymentId: 'd01', status: 'succeeded' } })
  const add = (id: string, status: 'running' | 'succeeded' = 'succeeded') =>
    ports.deployments.create({ ...deployment(id, 'web'), status, startedAt: ports.clock.now() })
  await add('d00', 'running')
  for (const id of ['d01', 'd02', 'd03']) await add(id)
  await pass(9 * day)
  for (const id of ['d04', 'd05', 'd06']) await add(id)
  expect(await ports.deployments.listIds('web')).toHaveLength(7)
  await pass(2 * day)
  expect(await ports.deployments.listIds('web')).toEqual(['d06', 'd05', 'd04', 'd01', 'd00'])
  await pass(20 * day)
  expect(await ports.deployments.listIds('web')).toEqual(['d06', 'd05', 'd04', 'd01', 'd00'])
})

test('runs of a deleted job go after their time, those of a job never', async () => {
  const { ports, pass } = world()
  await ports.settings.save({ 'retention.days': 5, 'retention.deleted_job_days': 20 })
  await ports.backupJobs.create(backupJob('kept', 'kept'))
  const ended = { finishedAt: ports.clock.now(), startedAt: ports.clock.now(), leftovers: false }
  const object = [{ name: 'data.tar' }] as never
  for (const [id, jobId, run] of [
    ['r1', 'kept', { status: 'succeeded', contents: object, sha256: 'x' }],
    ['r2', 'gone', { status: 'succeeded', contents: object, sha256: 'x' }],
    ['r3', 'gone', { status: 'failed' }],
  ] as const) {
    await ports.backupRuns.create({ ...backupRun(id, jobId), ...ended, ...run })
  }
  const ids = async () => (await ports.backupRuns.list({ limit: 9 })).map(({ id }) => id).sort()
  await pass(6 * day)
  expect(await ids()).toEqual(['r1', 'r2'])
  await pass(15 * day)
  expect(await ids()).toEqual(['r1'])
})

test('nothing is removed while the clock is not believed, and the log says so', async () => {
  const { ports, pass } = world()
  const swept: number[] = []
  ports.expiredItems = {
    ...ports.expiredItems,
    removeHour: async (at) => {
      swept.push(at)
      return 0
    },
  }
  await pass(2 * hour)
  swept.length = 0
  ports.clock.advance(30 * day)
  await pass(4 * hour)
  expect(swept).toEqual([])
  expect(ports.log.lines.at(-1)).toMatchObject({ level: 'warn' })
  await pass(4 * hour)
  expect(swept.length).toBeGreaterThan(0)
})

test('a sweep that fails is logged, ends nothing and is tried again', async () => {
  const { ports } = world()
  const { removeHour } = ports.expiredItems
  ports.expiredItems = { ...ports.expiredItems, removeHour: () => Promise.reject(new Error('x')) }
  await sweep.with(ports)()
  expect(ports.log.lines.at(-1)).toMatchObject({ level: 'warn' })
  ports.expiredItems = { ...ports.expiredItems, removeHour }
  ports.clock.advance(hour / 2)
  await sweep.with(ports)()
  expect((await ports.retentionStates.find(stateId))?.recordsAt).toBe(ports.clock.now())
})

test('one process sweeps at a time', async () => {
  const { ports } = world()
  await ports.leases.acquire('retention', 'another', hour)
  await sweep.with(ports)()
  expect(await ports.retentionStates.find(stateId)).toBeUndefined()
})
