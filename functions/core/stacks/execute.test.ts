import { describe, expect, test } from 'vitest'
import { add, type Plan } from '../compose/plan/draft.ts'
import type { EngineBody, Step, StepCall } from '../compose/step.ts'
import { broken } from '../errors.ts'
import { type ExecuteOptions, execute } from './execute.ts'
import type { StepReport } from './stack.ts'

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
  for (const { call, after, service } of calls) add(plan, { reason: 'test', after, service }, call)
  return plan
}

function options(change: Partial<ExecuteOptions> = {}): ExecuteOptions {
  let now = 0
  const clock = { now: () => now++, monotonic: () => now, sleep: () => Promise.resolve() }
  return { clock, signal: new AbortController().signal, ...change }
}

describe('order', () => {
  test('steps that wait for nothing begin together, others after those before them', async () => {
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
    const run = execute(steps, engine, options({ onStep: (index) => index === 3 && release() }))
    expect((await run).status).toBe('succeeded')
    expect(engine.names()).toEqual(['a', 'b', 'd', 'c'])
  })

  test('each change is told, with how long the step took', async () => {
    const told: [number, StepReport['status'], number | null][] = []
    const { steps } = planOf({ call: start('a') })
    await execute(
      steps,
      engineOf(),
      options({ onStep: (index, { status, ms }) => told.push([index, status, ms]) }),
    )
    expect(told).toEqual([
      [0, 'running', null],
      [0, 'done', 1],
    ])
  })

  test('an empty plan has succeeded', async () => {
    const execution = await execute([], engineOf(), options())
    expect(execution).toEqual({
      ...{ status: 'succeeded', error: null, steps: [], warnings: [], images: new Map() },
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

  test('what comes after is skipped, independent steps go on', async () => {
    const engine = engineOf({ 'redis:7': broken('manifest unknown') })
    const execution = await execute(failing.steps, engine, options())
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

  test('an error that is not a failure is not shown', async () => {
    const engine = engineOf({ 'redis:7': new TypeError('secret of the code') })
    const { error } = await execute(failing.steps, engine, options())
    expect(error).toBe('service db: pull image redis:7: the step failed unexpectedly')
  })

  test('a wait for an optional dependency holds nobody up, failed or skipped', async () => {
    const { steps } = planOf(
      { call: start('broken') },
      { call: optionalWait('broken'), after: [0], service: 'opt' },
      { call: start('a'), after: [1] },
      { call: optionalWait('sick'), service: 'opt' },
      { call: start('b'), after: [3] },
    )
    const engine = engineOf({ broken: broken('no'), sick: broken('is unhealthy') })
    const execution = await execute(steps, engine, options())
    expect(engine.names()).toContain('a')
    expect(engine.names()).toContain('b')
    expect(execution.warnings).toEqual([
      'service opt: wait container sick until service_healthy: is unhealthy',
    ])
    expect(execution.error).toBe('start container broken: no')
  })

  test('a command before a stop that fails does not keep the container up', async () => {
    const command = { action: 'exec', kind: 'container', name: 'web', body: {} } as const
    const stop = { action: 'stop', kind: 'container', name: 'stopped' } as const
    const { steps } = planOf({ call: { ...command, required: false } }, { call: stop, after: [0] })
    const execution = await execute(steps, engineOf({ web: broken('exited with 1') }), options())
    expect(execution.status).toBe('succeeded')
    expect(execution.warnings).toEqual(['exec container web: exited with 1'])
    expect(execution.steps.map(({ status }) => status)).toEqual(['failed', 'done'])
  })

  test('a network that stays is a warning when a project is removed, and a failure when it is replaced', async () => {
    const remove = { action: 'remove', kind: 'network', name: 'shop_default', id: '1' } as const
    const engine = engineOf({ shop_default: broken('has endpoints') })
    const optional = await execute(
      planOf({ call: { ...remove, required: false } }).steps,
      engine,
      options(),
    )
    expect(optional.status).toBe('succeeded')
    expect(optional.warnings).toEqual(['remove network shop_default: has endpoints'])
    const { error } = await execute(planOf({ call: remove }).steps, engine, options())
    expect(error).toBe('remove network shop_default: has endpoints')
  })

  test('warnings of the Engine are passed on with their step', async () => {
    const { steps } = planOf({ call: start('noisy'), service: 'web' })
    const { warnings } = await execute(steps, engineOf(), options())
    expect(warnings).toEqual(['service web: start container noisy: careful'])
  })

  test('a signal starts no more steps and the run is interrupted', async () => {
    const stop = new AbortController()
    const { steps } = planOf({ call: start('a') }, { call: start('b'), after: [0] })
    const engine = engineOf()
    const execution = await execute(
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

test('containers that join another get its id, also in the config hash', async () => {
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
  expect((await execute(steps, engine, options())).error).toBeNull()
  const made = engine.begun[1] as unknown as { body: EngineBody; parents?: unknown }
  expect(made.parents).toBeUndefined()
  expect(made.body.HostConfig).toEqual({
    NetworkMode: 'container:id of tmp_net',
    VolumesFrom: ['id of tmp_net:ro'],
  })
  const labels = made.body.Labels as Record<string, string>
  expect(labels['com.docker.compose.config-hash']).toMatch(/^[0-9a-f]{64}$/)
})

test('a failure says which pre_start command of the file it was', async () => {
  const plan: Plan = { steps: [], warnings: [] }
  add(plan, { reason: 'pre_start[1]', service: 'web' }, start('shop-web-pre_start-2'))
  const engine = engineOf({ 'shop-web-pre_start-2': broken('it ended with 17') })
  const { error } = await execute(plan.steps, engine, options())
  expect(error).toBe(
    'service web: pre_start[1]: start container shop-web-pre_start-2: it ended with 17',
  )
})
