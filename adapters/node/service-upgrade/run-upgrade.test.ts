import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { conflict } from '../../../functions/core/errors.ts'
import type { UpgradeJournal } from '../../../functions/core/records/upgrade-journal.ts'
import type { SeenContainer, UpgradeStep } from '../../../functions/core/upgrade/next-step.ts'
import type { ObservedUpgrade, UpgradeEngine } from '../../docker/service-upgrade/upgrade-engine.ts'
import { type JournalFile, journalFile } from './journal-file.ts'
import { runUpgrade } from './run-upgrade.ts'

const journal: UpgradeJournal = {
  id: '01a20589-4779-72ce-9499-83b352746441',
  startedAt: 1_000,
  from: {
    containerId: 'old',
    name: 'service',
    image: 'container-stacks:latest',
    imageId: 'sha256:old',
    restartPolicy: { Name: 'always', MaximumRetryCount: 0 },
  },
  to: { image: 'container-stacks:latest', imageId: 'sha256:new' },
  helper: 'helper',
  direction: 'forward',
  error: null,
  log: [],
  outcome: 'open',
  endedAt: null,
}

interface TestEngine extends UpgradeEngine {
  old: SeenContainer
  next: ObservedUpgrade['new']
  done: string[]
  /** Why a kind of step fails. */
  refusals: Map<UpgradeStep['kind'], Error>
  /** How often it does not respond. */
  silent: number
  healthy: Set<string>
  /** Whether another container has the name of the service. */
  isNameTaken: boolean
}

function testEngine(): TestEngine {
  const engine: TestEngine = {
    old: { name: 'service', isRunning: true, restartPolicy: 'always' },
    next: undefined,
    done: [],
    refusals: new Map(),
    silent: 0,
    healthy: new Set(['old', 'new']),
    isNameTaken: false,
    async observe() {
      if (engine.silent > 0) {
        engine.silent -= 1
        throw new Error('connect ECONNREFUSED')
      }
      const { old, next, isNameTaken } = engine
      return {
        oldId: 'old',
        newId: next && 'new',
        old: { ...old },
        new: next && { ...next },
        isNameTaken,
      }
    },
    async execute(step) {
      const refusal = engine.refusals.get(step.kind)
      if (refusal) throw refusal
      engine.done.push(step.kind)
      const { old, next } = engine
      if (step.kind === 'rename_old' || step.kind === 'restore_name') old.name = step.name
      if (step.kind === 'hold_old') old.restartPolicy = 'no'
      if (step.kind === 'release_old') old.restartPolicy = 'always'
      if (step.kind === 'stop_old') old.isRunning = false
      if (step.kind === 'start_old') old.isRunning = true
      if (step.kind === 'create_new') {
        engine.next = { name: 'service', isRunning: false, restartPolicy: 'no', problem: undefined }
      }
      if (step.kind === 'start_new' && next) next.isRunning = true
      if (step.kind === 'stop_new' && next) next.isRunning = false
      if (step.kind === 'release_new' && next) next.restartPolicy = 'always'
      if (step.kind === 'remove_new') engine.next = undefined
    },
    isHealthy: async (id) => engine.healthy.has(id),
    lastLines: async (id) => [`the end of ${id}`],
    async hold() {},
  }
  return engine
}

let file: JournalFile
let engine: TestEngine
let lines: string[]
let time: number

beforeEach(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'run-upgrade-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  file = journalFile(directory)
  await file.write(journal)
  engine = testEngine()
  lines = []
  time = 0
})

const clock = {
  // Goes back at each look: only elapsed time may count.
  now: () => 5_000 - time,
  monotonic: () => time,
  async sleep(milliseconds: number) {
    time += milliseconds
  },
}
const run = (of: JournalFile = file) =>
  runUpgrade({ file: of, engine, clock, report: (line) => lines.push(line) })

/** The journal on a disk that refuses twenty writes; `onRefusal` is given how many it refused. */
function fullDisk(onRefusal: (refused: number) => void = () => {}) {
  let refused = 0
  const full: JournalFile = {
    read: () => file.read(),
    async write(changed) {
      if (refused >= 20) return file.write(changed)
      refused += 1
      onRefusal(refused)
      throw new Error('ENOSPC: no space left on device')
    },
  }
  return { file: full, refused: () => refused }
}

const forward = ['rename_old', 'hold_old', 'stop_old', 'create_new', 'start_new', 'release_new']

test('replaces the container, and records that', async () => {
  const ended = await run()
  expect(ended).toEqual({ ...journal, outcome: 'upgraded', endedAt: 5_000 })
  expect(await file.read()).toEqual(ended)
  expect(engine.done).toEqual(forward)
  expect(lines).toEqual([...forward, 'upgraded'])
})

test('takes back one that does not get healthy, with the end of its log', async () => {
  engine.healthy.delete('new')
  expect(await run()).toMatchObject({
    outcome: 'taken_back',
    direction: 'back',
    error: 'the new container was not healthy within 60 s',
    log: ['the end of new'],
  })
  expect(time).toBe(60_000)
  expect(engine.next).toBeUndefined()
  expect(engine.old).toEqual({ name: 'service', isRunning: true, restartPolicy: 'always' })
})

test('takes back one that does not start, after three tries', async () => {
  engine.refusals.set('start_new', conflict('port 8080 is taken'))
  expect(await run()).toMatchObject({ outcome: 'taken_back', error: 'port 8080 is taken' })
  expect(lines.filter((line) => line === 'start_new failed: port 8080 is taken')).toHaveLength(3)
  expect(engine.old.isRunning).toBe(true)
})

test('is stuck if the old one does not start for five minutes', async () => {
  engine.healthy.delete('new')
  engine.refusals.set('start_old', conflict('port 8080 is taken'))
  expect(await run()).toMatchObject({
    outcome: 'stuck',
    error: 'the new container was not healthy within 60 s; port 8080 is taken',
  })
  expect(time).toBe(60_000 + 60 * 5_000)
})

test('starts the old one although the journal cannot be written, and writes it later', async () => {
  engine.healthy.delete('new')
  const disk = fullDisk()
  const ended = await run(disk.file)
  expect(ended).toMatchObject({ outcome: 'taken_back', direction: 'back' })
  expect(engine.old).toEqual({ name: 'service', isRunning: true, restartPolicy: 'always' })
  expect(engine.done.filter((step) => step === 'create_new')).toHaveLength(1)
  expect([disk.refused(), await file.read()]).toEqual([20, ended])
})

test('a helper that was killed turns back from a new one that is not healthy', async () => {
  engine.old = { name: 'service_before_83b352746441', isRunning: false, restartPolicy: 'no' }
  engine.next = { name: 'service', isRunning: true, restartPolicy: 'no', problem: undefined }
  engine.healthy.delete('new')
  expect(await run()).toMatchObject({ outcome: 'taken_back' })
  expect(engine.done).not.toContain('create_new')
})

test('waits for an Engine that does not respond, each time for less than 20 s', async () => {
  const { execute } = engine
  engine.silent = 4
  engine.execute = async (...given) => {
    await execute(...given)
    engine.silent = 4
  }
  expect(await run()).toMatchObject({ outcome: 'upgraded' })
})

test('ends after 20 s without its Engine, whose socket may be another one by now', async () => {
  const { execute } = engine
  engine.execute = async (step, ...given) => {
    await execute(step, ...given)
    if (step.kind === 'stop_old') engine.silent = Number.POSITIVE_INFINITY
  }
  await expect(run()).rejects.toThrow('the Engine did not respond for 20 s')
  expect(time).toBe(20_000)
  expect(await file.read()).toEqual(journal)
  // Its successor has the new socket.
  engine.silent = 0
  expect(await run()).toMatchObject({ outcome: 'upgraded' })
  expect(engine.done).toEqual(forward)
})

test('waits for its Engine, however long, with a change that is not written', async () => {
  engine.healthy.delete('new')
  const disk = fullDisk((refused) => {
    // The Engine goes away in this moment too.
    if (refused === 1) engine.silent = 15
  })
  const ended = await run(disk.file)
  expect(ended).toMatchObject({ outcome: 'taken_back' })
  expect(engine.silent).toBe(0)
})

test('changes nothing once the upgrade has ended', async () => {
  await file.write({ ...journal, outcome: 'not_started' })
  expect(await run()).toMatchObject({ outcome: 'not_started' })
  expect(engine.done).toEqual([])
})

test('takes back what it did in an upgrade whose start was given up', async () => {
  const steps = new Set<number>()
  for (let at = 1; at <= 4; at += 1) {
    await file.write(journal)
    engine = testEngine()
    const { execute } = engine
    engine.execute = async (step, ...given) => {
      await execute(step, ...given)
      const gaveUp = { ...journal, outcome: 'not_started', endedAt: 1, error: 'reset' } as const
      if (engine.done.length === at) await file.write(gaveUp)
    }
    expect(await run()).toMatchObject({ outcome: 'not_started', error: 'reset' })
    expect([at, engine.old]).toEqual([
      at,
      { name: 'service', isRunning: true, restartPolicy: 'always' },
    ])
    expect(engine.next).toBeUndefined()
    steps.add(engine.done.length)
  }
  expect([...steps]).toEqual([2, 4, 6, 8])
})

test('ends an upgrade whose start was given up, also if its name is taken meanwhile', async () => {
  engine.old = { name: 'service_before_83b352746441', isRunning: false, restartPolicy: 'no' }
  engine.isNameTaken = true
  await file.write({ ...journal, outcome: 'not_started', endedAt: 1, error: 'reset' })
  expect(await run()).toMatchObject({ outcome: 'not_started', error: 'reset' })
  expect(engine.done).toEqual(['release_old', 'start_old'])
})

test('refuses to run without a journal', async () => {
  await expect(
    runUpgrade({ file: { ...file, read: async () => undefined }, engine, clock, report() {} }),
  ).rejects.toThrow('there is no upgrade')
})
