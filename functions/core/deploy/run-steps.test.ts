import { describe, expect, test } from 'vitest'
import { addStep, type Plan } from '../../compose/plan/plan-steps.ts'
import type { EngineBody, Step, StepCall } from '../../compose/step.ts'
import { internalError } from '../errors.ts'
import type { StepReport } from '../records/deployment.ts'
import type { PulledLayer } from '../records/host-engine.ts'
import { type RunOptions, runSteps } from './run-steps.ts'

const start = (name: string): StepCall => ({ action: 'start', kind: 'container', name })
const optionalWait = (name: string): StepCall => ({
  action: 'wait',
  kind: 'container',
  name,
  condition: 'service_healthy',
  required: false,
})

/** An Engine whose steps end when the test resolves or rejects them. */
function engineOf(outcomes: Record<string, Error | Promise<void>> = {}) {
  const begun: Step[] = []
  return {
    begun,
    names: () => begun.map(({ name }) => name),
    async execute(step: Step) {
      begun.push(step)
      const outcome = outcomes[step.name]
      if (outcome instanceof Error) throw outcome
      await outcome
      return { id: `id of ${step.name}`, warnings: step.name === 'noisy' ? ['careful'] : [] }
    },
  }
}

function planOf(...calls: { call: StepCall; after?: number[]; service?: string }[]): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  for (const { call, after, service } of calls)
    addStep(plan, { reason: 'test', after, service }, call)
  return plan
}

function options(change: Partial<RunOptions> = {}): RunOptions {
  let now = 0
  const clock = { now: () => now++, monotonic: () => now, sleep: () => Promise.resolve() }
  return { clock, signal: new AbortController().signal, ...change }
}

describe('order', () => {
  test('starts independent steps together and others after their dependencies', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const engine = engineOf({ a: held })
    const { steps } = planOf(
      { call: start('a') },
      { call: start('b') },
      { call: start('c'), after: [0] },
      { call: start('d'), after: [1] },
    )
    const run = runSteps(steps, engine, options({ onStep: (index) => index === 3 && release() }))
    expect((await run).status).toBe('succeeded')
    expect(engine.names()).toEqual(['a', 'b', 'd', 'c'])
  })

  test('reports each change of a step, with its duration', async () => {
    const told: [number, StepReport['status'], number | null][] = []
    const { steps } = planOf({ call: start('a') })
    await runSteps(
      steps,
      engineOf(),
      options({ onStep: (index, { status, ms }) => told.push([index, status, ms]) }),
    )
    expect(told).toEqual([
      [0, 'running', null],
      [0, 'done', 1],
    ])
  })

  test('an empty plan succeeds', async () => {
    const execution = await runSteps([], engineOf(), options())
    expect(execution).toEqual({
      status: 'succeeded',
      error: null,
      steps: [],
      warnings: [],
      images: new Map(),
    })
  })
})

describe('failures', () => {
  const failing = planOf(
    { call: { action: 'pull', kind: 'image', name: 'redis:7' }, service: 'db' },
    { call: start('db'), after: [0] },
    { call: start('user'), after: [1] },
    { call: start('other') },
    { call: start('after other'), after: [3] },
  )

  test('skips the steps after a failure and runs independent ones', async () => {
    const engine = engineOf({ 'redis:7': internalError('manifest unknown') })
    const execution = await runSteps(failing.steps, engine, options())
    expect(execution.status).toBe('failed')
    expect(execution.error).toBe('service db: pull image redis:7: manifest unknown')
    expect(execution.steps.map(({ status }) => status)).toEqual([
      'failed',
      'skipped',
      'skipped',
      'done',
      'done',
    ])
  })

  test('each failed step has its own error, and no other step has one', async () => {
    const engine = engineOf({
      'redis:7': internalError('manifest unknown'),
      other: internalError('the port is taken'),
    })
    const { steps } = await runSteps(failing.steps, engine, options())
    expect(steps.map(({ error }) => error)).toEqual([
      ...['manifest unknown', undefined, undefined, 'the port is taken', undefined],
    ])
  })

  test('a step that an abort ended says so', async () => {
    const stop = new AbortController()
    const { steps } = planOf({ call: start('a') })
    const engine = {
      async execute() {
        stop.abort()
        throw internalError('the call was aborted')
      },
    }
    const execution = await runSteps(steps, engine, options({ signal: stop.signal }))
    expect(execution.steps).toMatchObject([{ status: 'failed', error: 'interrupted' }])
  })

  test('hides an unexpected error', async () => {
    const engine = engineOf({ 'redis:7': new TypeError('secret of the code') })
    const { error, steps } = await runSteps(failing.steps, engine, options())
    expect(error).toBe('service db: pull image redis:7: the step failed unexpectedly')
    expect(steps[0]?.error).toBe('the step failed unexpectedly')
  })

  test('a failed or skipped wait for an optional dependency does not block other steps', async () => {
    const { steps } = planOf(
      { call: start('broken') },
      { call: optionalWait('broken'), after: [0], service: 'opt' },
      { call: start('a'), after: [1] },
      { call: optionalWait('sick'), service: 'opt' },
      { call: start('b'), after: [3] },
    )
    const engine = engineOf({ broken: internalError('no'), sick: internalError('is unhealthy') })
    const execution = await runSteps(steps, engine, options())
    expect(engine.names()).toContain('a')
    expect(engine.names()).toContain('b')
    expect(execution.warnings).toEqual([
      'service opt: wait container sick until service_healthy: is unhealthy',
    ])
    expect(execution.error).toBe('start container broken: no')
  })

  test('a container whose replacement fails keeps running', async () => {
    const command = { action: 'exec', kind: 'container', name: 'hook', body: {} } as const
    const stop = { action: 'stop', kind: 'container', name: 'old' } as const
    const engine = engineOf({ new: internalError('no space left') })
    const { steps } = planOf(
      { call: start('new') },
      { call: { ...command, required: false }, after: [0] },
      { call: stop, after: [1] },
    )
    const run = await runSteps(steps, engine, options())
    expect(engine.names()).toEqual(['new'])
    expect(run.steps.map(({ status }) => status)).toEqual(['failed', 'skipped', 'skipped'])
  })

  test('a failed pre_stop command does not prevent the stop', async () => {
    const command = { action: 'exec', kind: 'container', name: 'web', body: {} } as const
    const stop = { action: 'stop', kind: 'container', name: 'stopped' } as const
    const { steps } = planOf({ call: { ...command, required: false } }, { call: stop, after: [0] })
    const execution = await runSteps(
      steps,
      engineOf({ web: internalError('exited with 1') }),
      options(),
    )
    expect(execution.status).toBe('succeeded')
    expect(execution.warnings).toEqual(['exec container web: exited with 1'])
    expect(execution.steps.map(({ status }) => status)).toEqual(['failed', 'done'])
  })

  test('a network that stays is a warning on removal and a failure on replacement', async () => {
    const remove = { action: 'remove', kind: 'network', name: 'shop_default', id: '1' } as const
    const engine = engineOf({ shop_default: internalError('has endpoints') })
    const optional = await runSteps(
      planOf({ call: { ...remove, required: false } }).steps,
      engine,
      options(),
    )
    expect(optional.status).toBe('succeeded')
    expect(optional.warnings).toEqual(['remove network shop_default: has endpoints'])
    const { error } = await runSteps(planOf({ call: remove }).steps, engine, options())
    expect(error).toBe('remove network shop_default: has endpoints')
  })

  test('returns warnings of the Engine with their step', async () => {
    const { steps } = planOf({ call: start('noisy'), service: 'web' })
    const { warnings } = await runSteps(steps, engineOf(), options())
    expect(warnings).toEqual(['service web: start container noisy: careful'])
  })

  test('starts no steps after an abort and marks the run as interrupted', async () => {
    const stop = new AbortController()
    const { steps } = planOf({ call: start('a') }, { call: start('b'), after: [0] })
    const engine = engineOf()
    const execution = await runSteps(
      steps,
      engine,
      options({
        signal: stop.signal,
        onStep: (_, { status }) => status === 'done' && stop.abort(),
      }),
    )
    expect(engine.names()).toEqual(['a'])
    expect(execution).toMatchObject({ status: 'interrupted', error: 'interrupted' })
    expect(execution.steps.map(({ status }) => status)).toEqual(['done', 'skipped'])
  })
})

test('containers that share the network of another get its ID, also in the config hash', async () => {
  const create = (name: string, rest: object): StepCall => ({
    action: 'create',
    kind: 'container',
    name,
    image: 'i',
    body: { HostConfig: { NetworkMode: 'service:net', VolumesFrom: ['net:ro'] }, Labels: {} },
    ...rest,
  })
  const { steps } = planOf(
    { call: create('tmp_net', { body: { HostConfig: {}, Labels: {} } }) },
    { call: create('web', { parents: { net: 'tmp_net' }, hashed: '{parent net}' }), after: [0] },
  )
  const engine = engineOf()
  expect((await runSteps(steps, engine, options())).error).toBeNull()
  const made = engine.begun[1] as unknown as { body: EngineBody; parents?: unknown }
  expect(made.parents).toBeUndefined()
  expect(made.body.HostConfig).toEqual({
    NetworkMode: 'container:id of tmp_net',
    VolumesFrom: ['id of tmp_net:ro'],
  })
  const labels = made.body.Labels as Record<string, string>
  expect(labels['com.docker.compose.config-hash']).toMatch(/^[0-9a-f]{64}$/)
})

test('a failure names the pre_start command', async () => {
  const plan: Plan = { steps: [], warnings: [] }
  addStep(plan, { reason: 'pre_start[1]', service: 'web' }, start('shop-web-pre_start-2'))
  const engine = engineOf({ 'shop-web-pre_start-2': internalError('it ended with 17') })
  const { error } = await runSteps(plan.steps, engine, options())
  expect(error).toBe(
    'service web: pre_start[1]: start container shop-web-pre_start-2: it ended with 17',
  )
})

test('a pull reports how much is downloaded, and its end drops it', async () => {
  const engine = {
    async execute(_: Step, __: AbortSignal, report?: (layer: PulledLayer) => void) {
      report?.({ id: '0f', state: 'downloading', current: 3, total: 9 })
      return {}
    },
  }
  const { steps } = planOf({ call: { action: 'pull', kind: 'image', name: 'a' } })
  const seen: StepReport[] = []
  const run = await runSteps(steps, engine, options({ onStep: (_, report) => seen.push(report) }))
  expect(seen.map(({ status, progress }) => [status, progress])).toEqual([
    ['running', undefined],
    ['running', { current: 3, total: 9 }],
    ['done', undefined],
  ])
  expect(run.steps[0]).not.toHaveProperty('progress')
})
