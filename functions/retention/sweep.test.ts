import { expect, test } from 'vitest'
import { backupJob, backupRun, deployment, stack } from '../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { storeFile } from '../../adapters/testing/put-content.ts'
import { stateId } from '../core/records/retention-state.ts'
import { storeTree } from '../core/stacks/tree.ts'
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

test('removes the texts of a deleted stack two days later and keeps texts in use', async () => {
  const { ports, pass, keep, isKept } = world()
  const [env, kept, written, rolledBack, other] = await Promise.all(
    ['SECRET=1', 'a', 'b', 'c', 'd'].map(keep),
  )
  await ports.stacks.create({ ...stack('shop'), files: { ...filesOf('x'), env: present(env) } })
  await ports.stacks.create({
    ...stack('web'),
    files: { ...filesOf(present(kept)), others: { 'bin/run': `${other};base64;x` } },
    written: filesOf(present(written)),
  })
  const old = { ...deployment('d1', 'web'), status: 'succeeded' as const }
  const files = { ...filesOf('x'), overlays: { prod: present(rolledBack) } }
  await ports.deployments.create({ ...old, startedAt: ports.clock.now(), files })
  await pass(5 * day)
  expect(await isKept(present(env))).toBe(true)
  await ports.stacks.remove('shop')
  await pass(2 * day)
  expect(await isKept(present(env))).toBe(false)
  for (const digest of [kept, written, rolledBack, other])
    expect(await isKept(present(digest))).toBe(true)
})

test('keeps a text without a record for a day after it was stored', async () => {
  const { pass, keep, isKept } = world()
  const digest = await keep('a')
  await pass(1.9 * day)
  expect(await isKept(digest)).toBe(true)
  await pass(2 * day)
  expect(await isKept(digest)).toBe(false)
})

test('removes on time a text that a clock a year ahead marked as unused', async () => {
  const { ports, pass, keep, isKept } = world()
  const digest = await keep('a')
  const [mark] = await ports.textMarks.list(undefined, 1)
  await ports.textMarks.markUnused(present(mark), ports.clock.now() + 365 * day)
  await pass(4 * day)
  expect(await isKept(digest)).toBe(false)
})

test('removes nothing while a clock is a year ahead for a day', async () => {
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

test('keeps a text that is stored again while references are read', async () => {
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

test('keeps the text of a record that copies a reference during the read', async () => {
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

test('removes old deployments beyond the newest, but never the last or a running one', async () => {
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

test('removes old runs of a deleted job, but never those of a job', async () => {
  const { ports, pass } = world()
  await ports.settings.save({ 'retention.days': 5, 'retention.deleted_job_days': 20 })
  await ports.backupJobs.create(backupJob('kept', 'nightly'))
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

test('removes nothing while the clock is not trusted, and logs this', async () => {
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

test('logs a failed sweep and tries again', async () => {
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

/** Stores a tree with one file, and returns its record and the digest of the file. */
async function keepOne(content: string, ports: ReturnType<typeof world>['ports']) {
  const file = await storeFile(Buffer.from(content), 0o644, ports)
  const tree = present(await storeTree({ [`${content}.txt`]: file, link: { link: 'x' } }, ports))
  return { files: { ...filesOf('x'), tree }, tree, digest: file.digest }
}

test('keeps what the trees of stacks and deployments list, and removes the rest', async () => {
  const { ports, pass, isKept } = world()
  const [now, written, deployed, earlier, built, dropped] = [
    await keepOne('now', ports),
    await keepOne('written', ports),
    await keepOne('deployed', ports),
    await keepOne('earlier', ports),
    await keepOne('built', ports),
    await keepOne('dropped', ports),
  ]
  await ports.stacks.create({
    ...stack('web'),
    files: now.files,
    written: written.files,
    earlier: [{ revision: 1, files: earlier.files }],
    builds: { 'docker.io/library/made:1': { image: 'sha256:1', files: built.files } },
  })
  const ended = { ...deployment('d1', 'web'), status: 'succeeded' as const, files: deployed.files }
  await ports.deployments.create({ ...ended, startedAt: ports.clock.now() })
  await pass(5 * day)
  for (const { tree, digest } of [now, written, deployed, earlier, built]) {
    expect([await isKept(tree), await isKept(digest)]).toEqual([true, true])
  }
  expect([await isKept(dropped.tree), await isKept(dropped.digest)]).toEqual([false, false])
})

test('keeps a file that a new revision stores again while a sweep is about to remove it', async () => {
  const { ports, pass, isKept } = world()
  const one = await keepOne('one', ports)
  await ports.stacks.create(stack('web'))
  await pass(2 * day)
  // The sweep has read all references, and pauses before it removes anything.
  const { listRunning } = ports.deployments
  let saved = false
  ports.deployments.listRunning = async () => {
    const found = await listRunning()
    if (saved) return found
    saved = true
    const again = await keepOne('one', ports)
    const record = present(await ports.stacks.find('web'))
    await ports.stacks.replace({ ...record, files: again.files })
    return found
  }
  await pass(4 * day)
  expect([await isKept(one.tree), await isKept(one.digest)]).toEqual([true, true])
})

test('a sweep that paused for days removes nothing that came into use meanwhile', async () => {
  const { ports, pass, isKept } = world()
  const one = await keepOne('one', ports)
  await ports.stacks.create(stack('web'))
  await pass(1.5 * day)
  const { listRunning } = ports.deployments
  let paused = false
  ports.deployments.listRunning = async () => {
    const found = await listRunning()
    if (paused) return found
    paused = true
    // Another process sweeps and saves a revision in the meantime.
    ports.clock.advance(2 * day)
    const again = await keepOne('one', ports)
    const record = present(await ports.stacks.find('web'))
    await ports.stacks.replace({ ...record, files: again.files })
    await sweep.with({ ...ports, deployments: { ...ports.deployments, listRunning } })()
    return found
  }
  await pass(4 * day)
  expect([await isKept(one.tree), await isKept(one.digest)]).toEqual([true, true])
})

test('removes nothing while the list of the files of a stack cannot be read', async () => {
  const { ports, pass, isKept, keep } = world()
  const one = await keepOne('one', ports)
  const unused = await keep('unused')
  await ports.stacks.create({ ...stack('web'), files: one.files })
  const { get } = ports.texts
  ports.texts.get = async (digest) => {
    if (digest === one.tree) throw new Error('damaged')
    return get(digest)
  }
  await pass(5 * day).catch(() => {})
  expect([await isKept(one.digest), await isKept(unused)]).toEqual([true, true])
})
