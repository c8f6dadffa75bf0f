import { expect, test } from 'vitest'
import type { UpgradeJournal } from '../records/upgrade-journal.ts'
import {
  healthyWithin,
  nameAside,
  nextStep,
  type SeenContainer,
  type SeenUpgrade,
  stepAfterFailure,
  type UpgradeStep,
  type Watched,
} from './next-step.ts'

const journalOf = (change: Partial<UpgradeJournal> = {}): UpgradeJournal => ({
  id: '01a20589-4779-72ce-9499-83b352746441',
  startedAt: 0,
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
  ...change,
})
const aside = nameAside(journalOf())
const back = { direction: 'back', error: 'it fails' } as const

const running: SeenContainer = { name: 'service', isRunning: true, restartPolicy: 'always' }
const held: SeenContainer = { name: aside, isRunning: false, restartPolicy: 'no' }
const fresh = { name: 'service', isRunning: true, restartPolicy: 'no', problem: undefined }
const unwatched: Watched = { hasRun: false, waited: 0, isHealthy: false }

const step = (
  seen: Partial<SeenUpgrade>,
  watched: Partial<Watched> = {},
  journal: Partial<UpgradeJournal> = {},
) =>
  nextStep(
    journalOf(journal),
    { old: held, new: undefined, isNameTaken: false, ...seen },
    { ...unwatched, ...watched },
  )

test('names the container that is kept by the upgrade, so that an earlier one never clashes', () => {
  expect(aside).toBe('service_before_83b352746441')
})

test.each<[string, Partial<SeenUpgrade>, Partial<Watched>, UpgradeStep]>([
  ['the old one runs', { old: running }, {}, { kind: 'rename_old', name: aside }],
  ['it was renamed', { old: { ...running, name: aside } }, {}, { kind: 'hold_old' }],
  ['it is held', { old: { ...held, isRunning: true } }, {}, { kind: 'stop_old' }],
  ['it stopped', {}, {}, { kind: 'create_new' }],
  ['the new one is created', { new: { ...fresh, isRunning: false } }, {}, { kind: 'start_new' }],
  ['the new one starts', { new: fresh }, { waited: healthyWithin - 1 }, { kind: 'wait' }],
  ['it is healthy', { new: fresh }, { isHealthy: true }, { kind: 'release_new' }],
  [
    'it is released',
    { new: { ...fresh, restartPolicy: 'always' } },
    {},
    { kind: 'end', outcome: 'upgraded', error: null },
  ],
  [
    'it is released, and starts again',
    { new: { ...fresh, isRunning: false, restartPolicy: 'always' } },
    { hasRun: true },
    { kind: 'end', outcome: 'upgraded', error: null },
  ],
  [
    'it is not healthy in time',
    { new: fresh },
    { waited: healthyWithin },
    { kind: 'turn_back', error: 'the new container was not healthy within 60 s' },
  ],
  [
    'it ended while the helper watched',
    { new: { ...fresh, isRunning: false, problem: 'exit code 1' } },
    { hasRun: true },
    { kind: 'turn_back', error: 'the new container ended: exit code 1' },
  ],
  [
    'it ended together with the helper',
    { new: { ...fresh, isRunning: false, problem: 'exit code 137' } },
    {},
    { kind: 'start_new' },
  ],
  [
    'a stranger took the name',
    { isNameTaken: true },
    {},
    { kind: 'turn_back', error: 'another container took the name service' },
  ],
  [
    'the old one was removed early',
    { old: undefined },
    {},
    {
      kind: 'end',
      outcome: 'stuck',
      error: 'container service was removed before the new one was created',
    },
  ],
  [
    'the old one was removed, and the new one is healthy',
    { old: undefined, new: fresh },
    { isHealthy: true },
    { kind: 'release_new' },
  ],
  [
    'the old one was removed, and the new one is not healthy',
    { old: undefined, new: fresh },
    { waited: healthyWithin },
    {
      kind: 'end',
      outcome: 'stuck',
      error: 'the new container was not healthy within 60 s, and the old one was removed',
    },
  ],
])('goes forward when %s', (_what, seen, watched, expected) => {
  expect(step(seen, watched)).toEqual(expected)
})

test.each<[string, Partial<SeenUpgrade>, Partial<Watched>, UpgradeStep]>([
  ['the new one runs', { new: fresh }, {}, { kind: 'stop_new' }],
  ['the new one is stopped', { new: { ...fresh, isRunning: false } }, {}, { kind: 'remove_new' }],
  ['the new one is removed', {}, {}, { kind: 'restore_name', name: 'service' }],
  ['the old one has its name', { old: { ...held, name: 'service' } }, {}, { kind: 'release_old' }],
  ['a stranger has its name', { isNameTaken: true }, {}, { kind: 'release_old' }],
  ['it is released', { old: { ...running, isRunning: false } }, {}, { kind: 'start_old' }],
  ['it starts', { old: running }, {}, { kind: 'wait' }],
  [
    'it is healthy',
    { old: running },
    { isHealthy: true },
    { kind: 'end', outcome: 'taken_back', error: 'it fails' },
  ],
  [
    'it is healthy under another name',
    { old: { ...running, name: aside }, isNameTaken: true },
    { isHealthy: true },
    { kind: 'end', outcome: 'taken_back', error: `it fails; it is now ${aside}` },
  ],
  [
    'it is not healthy in time',
    { old: running },
    { waited: healthyWithin },
    { kind: 'end', outcome: 'stuck', error: 'it fails; the old container is not healthy' },
  ],
  [
    'the old one was removed',
    { old: undefined },
    {},
    { kind: 'end', outcome: 'stuck', error: 'it fails; the old container was removed' },
  ],
])('goes back when %s', (_what, seen, watched, expected) => {
  expect(step(seen, watched, back)).toEqual(expected)
})

test.each<[string, Partial<SeenUpgrade>, UpgradeStep]>([
  [
    'it is renamed',
    { old: { ...running, name: aside } },
    { kind: 'restore_name', name: 'service' },
  ],
  ['it is held', { old: { ...running, restartPolicy: 'no' } }, { kind: 'release_old' }],
  ['it is stopped', { old: { ...running, isRunning: false } }, { kind: 'start_old' }],
  ['a new one was created', { old: running, new: fresh }, { kind: 'stop_new' }],
  ['it runs', { old: running }, { kind: 'end', outcome: 'not_started', error: 'reset' }],
  ['it was removed', { old: undefined }, { kind: 'end', outcome: 'not_started', error: 'reset' }],
])('takes back a start that was given up, when %s', (_what, seen, expected) => {
  expect(step(seen, {}, { outcome: 'not_started', error: 'reset' })).toEqual(expected)
})

test('tries a failed step again, turns back, and gives up after five minutes of it', () => {
  const after = (failures: number, change: Partial<UpgradeJournal> = {}) =>
    stepAfterFailure(journalOf(change), failures, 'the port is taken')
  expect(after(2)).toEqual({ kind: 'wait' })
  expect(after(3)).toEqual({ kind: 'turn_back', error: 'the port is taken' })
  expect(after(59, back)).toEqual({ kind: 'wait' })
  expect(after(60, back)).toEqual({
    kind: 'end',
    outcome: 'stuck',
    error: 'it fails; the port is taken',
  })
})

/** How the new container of an upgrade behaves. */
type Behaviour = 'good' | 'never healthy' | 'crashes' | 'does not start'

interface World {
  journal: UpgradeJournal
  old: SeenContainer
  next: SeenUpgrade['new']
  /** What the process of the helper knows, which its end loses. */
  hasRun: boolean
  since: number | undefined
  failures: number
  now: number
}

/** Carries out one step as the Engine would. Returns whether the helper goes on. */
function advance(world: World, behaviour: Behaviour): boolean {
  const { journal } = world
  const target = journal.direction === 'forward' ? world.next : world.old
  if (target?.isRunning) {
    world.hasRun = true
    world.since ??= world.now
  }
  const isHealthy =
    target?.isRunning === true && (journal.direction === 'back' || behaviour === 'good')
  const next = nextStep(
    journal,
    { old: world.old, new: world.next, isNameTaken: false },
    { hasRun: world.hasRun, waited: world.now - (world.since ?? world.now), isHealthy },
  )
  if (next.kind === 'start_new' && behaviour === 'does not start') {
    world.failures += 1
    return carryOut(world, stepAfterFailure(journal, world.failures, 'no such device'), behaviour)
  }
  return carryOut(world, next, behaviour)
}

function carryOut(world: World, next: UpgradeStep, behaviour: Behaviour): boolean {
  const { old, journal } = world
  const changes: Record<UpgradeStep['kind'], () => void> = {
    rename_old: () => Object.assign(old, { name: aside }),
    restore_name: () => Object.assign(old, { name: 'service' }),
    hold_old: () => Object.assign(old, { restartPolicy: 'no' }),
    release_old: () => Object.assign(old, { restartPolicy: 'always' }),
    stop_old: () => Object.assign(old, { isRunning: false }),
    start_old: () => Object.assign(old, { isRunning: true }),
    create_new: () => {
      expect(world.next).toBeUndefined()
      world.next = { ...fresh, isRunning: false }
    },
    start_new: () => {
      world.hasRun = true
      Object.assign(world.next ?? {}, { isRunning: behaviour !== 'crashes' })
    },
    release_new: () => Object.assign(world.next ?? {}, { restartPolicy: 'always' }),
    stop_new: () => Object.assign(world.next ?? {}, { isRunning: false }),
    remove_new: () => {
      world.next = undefined
    },
    wait: () => {},
    turn_back: () => {
      Object.assign(journal, { direction: 'back', error: next.kind === 'turn_back' && next.error })
      forgetWatch(world)
    },
    end: () => {
      if (next.kind === 'end') journal.outcome = next.outcome
    },
  }
  changes[next.kind]()
  world.now += 1000
  return next.kind !== 'end'
}

const forgetWatch = (world: World) =>
  Object.assign(world, { hasRun: false, since: undefined, failures: 0 })

/** What a kill does; the Engine starts the helper again after each. */
const kills: Record<string, (world: World) => void> = {
  helper: forgetWatch,
  Engine(world) {
    forgetWatch(world)
    for (const one of [world.old, world.next]) {
      if (one) one.isRunning = one.restartPolicy === 'always'
    }
  },
  'old service': ({ old }) => Object.assign(old, { isRunning: old.restartPolicy === 'always' }),
  'new service': ({ next }) =>
    Object.assign(next ?? {}, { isRunning: next?.restartPolicy === 'always' }),
}

test.each(
  (['good', 'never healthy', 'crashes', 'does not start'] as const).flatMap((behaviour) =>
    Object.keys(kills).map((what) => [behaviour, what] as const),
  ),
)('leaves one service when the new one is %s, whenever the %s is killed', (behaviour, what) => {
  let steps = 1
  for (let killedAt = 0; killedAt <= steps; killedAt += 1) {
    const world: World = {
      journal: journalOf(),
      old: { ...running },
      next: undefined,
      hasRun: false,
      since: undefined,
      failures: 0,
      now: 0,
    }
    steps = 0
    while (advance(world, behaviour)) {
      if (steps === killedAt) kills[what]?.(world)
      expect(world.old.isRunning && world.next?.isRunning).not.toBe(true)
      steps += 1
      expect(steps, `${killedAt}`).toBeLessThan(200)
    }
    const { outcome } = world.journal
    if (behaviour !== 'good') expect(outcome).toBe('taken_back')
    else if (what !== 'new service') expect(outcome).toBe('upgraded')
    const own = outcome === 'upgraded' ? world.next : world.old
    expect(own, `${killedAt}`).toMatchObject(running)
    expect(outcome === 'upgraded' ? world.old : world.next).toEqual(
      outcome === 'upgraded' ? held : undefined,
    )
  }
})
