import { expect, test } from 'vitest'
import type { ContainerState } from '../../compose/snapshot.ts'
import type { EngineUptime } from '../records/host-engine.ts'
import type { ServiceState } from '../records/stack-state.ts'
import { type ContainerFacts, type ServiceFacts, serviceState } from './service-state.ts'
import { containerSample, oldEngine, stopSample, youngEngine } from './testing/samples.ts'

// The rules in the words of their specification, first one that fits. The code under test decides
// in another way: by the phase of each container.

const policyOf = ({ run }: ContainerFacts) => run?.restartPolicy ?? 'no'
const always = (one: ContainerFacts) => ['always', 'unless-stopped'].includes(policyOf(one))
const ended = ({ state }: ContainerFacts) => state === 'exited'
const runs = ({ state }: ContainerFacts) => state === 'running'
const hasStartError = ({ run }: ContainerFacts) => Boolean(run?.startError)
const isYoung = (engine: EngineUptime | null) => engine !== null && engine.age < 60_000

const willStartAgain = (one: ContainerFacts, engine: EngineUptime | null) =>
  ended(one) &&
  always(one) &&
  isYoung(engine) &&
  (one.stop === null || (policyOf(one) === 'always' && endedBefore(one, engine)))

const endedBefore = ({ run }: ContainerFacts, engine: EngineUptime | null) =>
  Date.parse(run?.finishedAt ?? '') < (engine?.startedAt ?? 0)

function byStop(one: ContainerFacts, engine: EngineUptime | null): boolean {
  if (!ended(one) || hasStartError(one) || willStartAgain(one, engine)) return false
  if (one.stop !== null) return true
  if (always(one)) return true
  return [137, 143].includes(one.exitCode ?? -1) && !one.run?.outOfMemory
}

const withError = ({ exitCode, run }: ContainerFacts) => exitCode !== 0 || run?.outOfMemory === true

type Rule = [ServiceState, (facts: ServiceFacts) => boolean]

const isStartingUp = ({ containers, isJob, engine, expected }: ServiceFacts) =>
  !(
    containers.length === expected &&
    (containers.every((one) => runs(one) && !isSettling(one) && isWell(one)) ||
      (isJob &&
        !containers.every((one) => byStop(one, engine)) &&
        containers.every(
          (one) =>
            ended(one) && !withError(one) && !hasStartError(one) && !willStartAgain(one, engine),
        )))
  )
const isWell = ({ health }: ContainerFacts) => health !== 'starting' && health !== 'unhealthy'
const isSettling = ({ settlingTime, upSeconds }: ContainerFacts) =>
  (upSeconds ?? 3600) < settlingTime

const rules: Rule[] = [
  ['inactive', ({ expected }) => expected === 0],
  ['starting', (facts) => facts.isDeploying && isStartingUp(facts)],
  [
    'failed',
    ({ containers, engine, isStopped }) =>
      containers.some(
        (one) =>
          (one.state === 'dead' ||
            ((one.state === 'created' || ended(one)) && hasStartError(one)) ||
            (ended(one) && withError(one) && !byStop(one, engine))) &&
          !willStartAgain(one, engine),
      ) ||
      (containers.length === 0 && !isStopped),
  ],
  [
    'restarting',
    ({ containers, engine }) =>
      containers.some(
        (one) =>
          one.state === 'restarting' ||
          (runs(one) && isSettling(one)) ||
          willStartAgain(one, engine),
      ),
  ],
  ['missing', ({ containers, expected }) => containers.length > 0 && containers.length < expected],
  [
    'stopped',
    ({ containers, engine, isStopped }) =>
      containers.length === 0 ? isStopped : containers.every((one) => byStop(one, engine)),
  ],
  ['paused', ({ containers }) => containers.every(({ state }) => state === 'paused')],
  [
    'completed',
    ({ containers, isJob }) =>
      isJob && containers.every((one) => ended(one) && one.exitCode === 0 && !withError(one)),
  ],
  [
    'unhealthy',
    ({ containers }) => containers.some((one) => runs(one) && one.health === 'unhealthy'),
  ],
  [
    'starting',
    ({ containers }) =>
      containers.every(runs) && containers.some(({ health }) => health === 'starting'),
  ],
  ['running', ({ containers }) => containers.every(runs)],
  ['partial', () => true],
]

const ruled = (facts: ServiceFacts): ServiceState =>
  rules.find(([, fits]) => fits(facts))?.[0] ?? 'partial'

const states: ContainerState[] = ['created', 'running', 'paused', 'restarting', 'exited', 'dead']
const finishedAt = '2026-11-23T11:00:00Z'

/** Every container that differs in something that a rule reads. */
function* everyContainer(): Generator<ContainerFacts> {
  for (const state of states) {
    for (const policy of ['no', 'on-failure', 'always', 'unless-stopped']) {
      for (const startError of [null, 'port']) yield* inState(state, policy, startError)
    }
  }
}

function* inState(state: ContainerState, policy: string, startError: string | null) {
  const base = { state, policy, startError, finishedAt }
  if (state === 'running') {
    for (const health of [null, 'starting', 'healthy', 'unhealthy']) {
      for (const settlingTime of [0, 10, 600]) {
        for (const upSeconds of [0, 9, 10, 599, 600]) {
          yield containerSample({ ...base, health, settlingTime, upSeconds })
        }
      }
    }
  } else if (state === 'exited') {
    for (const exitCode of [0, 1, 137, 143]) {
      for (const outOfMemory of [false, true]) {
        for (const stop of [null, stopSample(), stopSample(null)]) {
          yield containerSample({ ...base, exitCode, outOfMemory, stop })
        }
      }
    }
  } else yield containerSample(base)
}

const engines = [null, oldEngine, youngEngine, { ...youngEngine, startedAt: 0 }]

/** Everything about a service but its containers. */
function* everyService(): Generator<Omit<ServiceFacts, 'containers' | 'expected'>> {
  for (const engine of engines) {
    for (const isJob of [false, true]) {
      for (const isDeploying of [false, true]) {
        for (const isStopped of [false, true]) yield { engine, isJob, isDeploying, isStopped }
      }
    }
  }
}

function check(containers: readonly ContainerFacts[], numbers: readonly number[]): number {
  let checked = 0
  for (const service of everyService()) {
    for (const expected of numbers) {
      const facts = { ...service, containers: containers.slice(0, expected), expected }
      const wanted = ruled(facts)
      if (serviceState(facts) !== wanted) expect(facts).toBe(wanted)
      checked += 1
    }
  }
  return checked
}

test('every service of no or one container follows the rules', () => {
  let checked = check([], [0, 1, 2])
  for (const one of everyContainer()) checked += check([one], [0, 1, 2])
  expect(checked).toBeGreaterThan(40_000)
})

test('every service of two containers follows the rules', () => {
  const all = [...everyContainer()]
  // A prime step through all pairs, so that each container meets those of every kind.
  let checked = 0
  for (let at = 0; at < all.length * all.length; at += 89) {
    const pair = [all[at % all.length], all[Math.floor(at / all.length)]]
    checked += check(
      pair.flatMap((one) => one ?? []),
      [2, 3],
    )
  }
  expect(checked).toBeGreaterThan(100_000)
})

test('every rule decides in some case', () => {
  const seen = new Set<ServiceState>()
  for (const service of everyService()) {
    for (const one of [...everyContainer()]) {
      seen.add(serviceState({ ...service, containers: [one], expected: 1 }))
      seen.add(serviceState({ ...service, containers: [one], expected: 2 }))
    }
    seen.add(serviceState({ ...service, containers: [], expected: 0 }))
  }
  expect([...seen].sort()).toEqual([...new Set(rules.map(([state]) => state))].sort())
})
