import { expect, test } from 'vitest'
import type { MemoryContainer } from '../../adapters/testing/memory/engine-state.ts'
import { call } from '../../local/harness/call.ts'
import { compose, path, type Shop, shopWithCheckpoint } from '../../local/harness/checkpoints.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import {
  applyOnce,
  container,
  fresh,
  hour,
  minute,
  newest,
  old,
  publish,
  running,
  stackOf,
} from '../../local/harness/updates.ts'
import { failedUpdate } from '../core/alerts/failed-update.ts'
import { internalError, type Reason } from '../core/errors.ts'
import deploy from '../stacks/deploy.ts'
import updateStack from '../stacks/update.ts'
import look from './look.ts'

/** What an update is, what happens, and how it must end. */
interface Case {
  /** The service of the image, instead of the usual one. */
  web?: string
  policy?: object
  /** Before the update begins. */
  before?(here: Shop): unknown
  /** After its deployment. */
  after?(here: Shop): unknown
  /** Ends the faults that `before` or `after` began. */
  mend?(here: Shop): unknown
  /** How long the stack is followed after that. Milliseconds. */
  wait?: number
  /** How it ends; undefined if no update begins, or if someone else ended it. */
  outcome?: 'good' | 'bad' | 'failed' | 'unknown'
  runs: 'old' | 'fresh' | 'newest'
  /** What is held back. */
  held?: readonly string[]
  /** How often people are told. */
  reports: 0 | 1
}

const set = (change: Partial<MemoryContainer>) => (here: Shop) => {
  Object.assign(container(here), change)
  here.engine.state.touch()
}
const later = (milliseconds: number, then: (here: Shop) => unknown) => async (here: Shop) => {
  await applyOnce(here)
  await applyOnce(here, milliseconds)
  return then(here)
}
const checked = (startPeriod: string) => `
    healthcheck:
      test: ["CMD", "true"]
      start_period: ${startPeriod}
      interval: 10s
      timeout: 5s
      retries: 3`

/** Makes a kind of step fail from now on. */
const failing =
  (actions: readonly string[], message: string, reason: Reason = 'engine-failed') =>
  ({ engine }: Shop) => {
    engine.failing = ({ action }) =>
      actions.includes(action) ? internalError(message, { reason }) : undefined
  }
const works = ({ engine }: Shop) => {
  engine.failing = undefined
}

const goesBack = { outcome: 'bad', runs: 'old', held: [fresh], reports: 1 } as const
const stays = { outcome: 'good', runs: 'fresh', reports: 0 } as const
const isNotTaken = { runs: 'old', reports: 0 } as const

const cases: Record<string, Case> = {
  'a good image': stays,
  'one without a health check': { ...stays, wait: minute + 1000 },
  'unhealthy after 5 s': { ...goesBack, after: later(5_000, set({ health: 'unhealthy' })) },
  'unhealthy after 80 s': {
    ...goesBack,
    web: checked('30s'),
    after: later(80_000, set({ health: 'unhealthy' })),
  },
  'a slow start': {
    ...stays,
    web: checked('90s'),
    after: async (here) => {
      set({ health: 'starting' })(here)
      await later(89_000, set({ health: 'healthy' }))(here)
    },
  },
  'a crash loop': { ...goesBack, after: set({ state: 'restarting', restarts: 4, exitCode: 1 }) },
  'a crash loop in which services that share its network cannot start': {
    ...goesBack,
    before: failing(['recreate'], 'the container is restarting', 'engine-busy'),
    after: set({ state: 'restarting', restarts: 4, exitCode: 1 }),
    mend: async (here) => {
      await works(here)
      await set({ state: 'running', restarts: 0, exitCode: null })(here)
    },
  },
  'a single restart': { ...stays, after: set({ restarts: 1 }) },
  'an end with 0': { ...stays, after: set({ state: 'exited', exitCode: 0 }) },
  'an end with 3': { ...goesBack, after: set({ state: 'exited', exitCode: 3 }) },
  'out of memory': {
    ...goesBack,
    after: set({ state: 'exited', exitCode: 137, outOfMemory: true }),
  },
  'a job that fails after 10 minutes': {
    ...goesBack,
    web: '\n    restart: "no"',
    after: later(10 * minute, set({ state: 'exited', exitCode: 1 })),
  },
  'unhealthy as before': {
    before: set({ health: 'unhealthy' }),
    after: set({ health: 'unhealthy' }),
    outcome: 'unknown',
    runs: 'fresh',
    reports: 0,
  },
  'a pull that fails half-way': {
    before: failing(['tag', 'pull'], 'unexpected EOF'),
    mend: works,
    outcome: 'failed',
    runs: 'old',
    reports: 1,
  },
  'a full disk before a container changed': {
    before: failing(['recreate', 'create'], 'no space left on device'),
    mend: works,
    outcome: 'bad',
    runs: 'old',
    held: [fresh],
    reports: 1,
  },
  'a host that goes away in the middle': {
    before: failing(['recreate'], 'the agent is offline', 'host-offline'),
    mend: works,
    outcome: 'bad',
    runs: 'old',
    reports: 1,
  },
  'a registry that is away': {
    ...isNotTaken,
    before: async ({ ports }) => {
      ports.imageRegistry.answers.set('docker.io/library/nginx:1', 'docker.io: no route to host')
      ports.clock.advance(7 * hour)
      await look.with(ports)()
    },
  },
  'a window that ended': {
    ...isNotTaken,
    policy: { window: { schedule: '0 3 * * *', timezone: 'UTC', duration_minutes: 30 } },
    before: ({ ports }) => {
      const now = ports.clock.now()
      ports.clock.advance(24 * hour - (now % (24 * hour)) + 3.5 * hour)
      return look.with(ports)()
    },
  },
  'an image that is too new': { ...isNotTaken, policy: { minimum_age_hours: 72 } },
  'a held-back digest again': {
    ...goesBack,
    after: async (here) => {
      set({ health: 'unhealthy' })(here)
      for (let pass = 0; pass < 4; pass += 1) await applyOnce(here, 15_000)
      await publish(here, old)
      await publish(here, fresh)
    },
    wait: 2 * hour,
  },
  'a newer one after a bad one': {
    outcome: 'good',
    runs: 'newest',
    held: [fresh],
    reports: 1,
    after: async (here) => {
      set({ health: 'unhealthy' })(here)
      for (let pass = 0; pass < 4; pass += 1) await applyOnce(here, 15_000)
      await publish(here, newest)
      await applyOnce(here)
    },
  },
  'a stop by a person': {
    outcome: 'unknown',
    runs: 'fresh',
    reports: 0,
    after: (here) => here.engine.act(container(here).id, { kind: 'stop' }),
  },
  'a deploy by a person': {
    runs: 'fresh',
    reports: 0,
    after: async (here) => {
      const body = { force_recreate: true }
      await call(deploy, { ports: here.ports, as: 'admin', path, body })
      set({ health: 'unhealthy' })(here)
    },
  },
  'files that are not deployed': {
    ...isNotTaken,
    before: ({ ports }) =>
      call(updateStack, { ports, as: 'admin', path, body: { compose: `${compose}# edited\n` } }),
  },
  'an account that is disabled': {
    ...isNotTaken,
    before: async ({ ports }) => {
      const account = await accountOf(ports, { username: 'admin' })
      await ports.accounts.replace({ ...account, disabled: true })
    },
    reports: 1,
  },
}

/** Reports that people get, other than that an update began. */
const reportsOf = async ({ ports }: Shop) =>
  (await ports.audit.list({ action: 'stacks.images', limit: 50 })).rows.filter(
    ({ action, outcome }) => action !== 'stacks.images.update' || outcome !== 'succeeded',
  )

/** Returns what the container of the updated service is made from. */
function settingsOf(here: Shop) {
  const { body, imageId, state } = container(here)
  const { 'com.docker.compose.replace': _, ...labels } = body.Labels as Record<string, string>
  return { body: { ...body, Labels: labels }, imageId, state }
}

const digests = { old, fresh, newest }

test.each(Object.entries(cases))('an update with %s ends as it must', async (_, row) => {
  const here = await shopWithCheckpoint({ checkpoint: null, ...row.policy }, row.web)
  const before = settingsOf(here)
  await row.before?.(here)
  await applyOnce(here)
  await row.after?.(here)
  await applyOnce(here)
  await row.mend?.(here)
  for (let pass = 0; pass < 4; pass += 1) await applyOnce(here, 15_000)
  await applyOnce(here, row.wait ?? 5 * minute)
  await applyOnce(here)
  const stack = await stackOf(here)
  expect([stack.update?.outcome, running(here)]).toEqual([
    row.outcome,
    `nginx@${digests[row.runs]}`,
  ])
  expect((stack.heldBack ?? []).map(({ digest }) => digest)).toEqual(row.held ?? [])
  if (row.runs === 'old') expect(settingsOf(here)).toEqual(before)
  if (row.outcome === 'bad') expect(stack.update?.rollback).toMatchObject({ state: 'done' })
  const reports = await reportsOf(here)
  expect(reports.length, JSON.stringify(reports)).toBe(row.reports)
  const isBad = row.outcome === 'failed' || (row.outcome === 'bad' && row.held !== undefined)
  if (isBad) expect(failedUpdate(stack)).toBeDefined()
  expect(stack.openUpdate).toBe(undefined)
})
