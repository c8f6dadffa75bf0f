import { expect, test } from 'vitest'
import {
  type ServiceState,
  type StackStatus,
  serviceStates,
  stackStatuses,
} from '../records/stack-state.ts'
import { countServices, type JudgedService, type StackFacts, stackStatus } from './stack-status.ts'

const service = (state: ServiceState, isJob = false): JudgedService => ({ state, isJob })
const job = (state: ServiceState) => service(state, true)

const facts = (services: JudgedService[], more: Partial<StackFacts> = {}): StackFacts => ({
  isReachable: true,
  isChanging: false,
  isDown: false,
  isStopped: false,
  services,
  ...more,
})

const cases: [StackStatus, JudgedService[]][] = [
  ['running', [service('running'), job('completed')]],
  ['running', [service('running'), service('inactive')]],
  ['running', [job('completed')]],
  ['failed', [service('running'), service('failed')]],
  ['failed', [service('running'), service('restarting')]],
  ['failed', [service('stopped'), job('failed')]],
  ['failed', [service('starting'), service('restarting')]],
  ['stopped', [service('stopped'), service('stopped')]],
  ['stopped', [service('stopped'), job('completed')]],
  ['stopped', [service('stopped'), job('running')]],
  ['stopped', [service('stopped'), service('inactive')]],
  ['stopped', [job('stopped')]],
  ['stopped', [job('stopped'), job('completed')]],
  ['paused', [service('paused'), job('completed')]],
  ['starting', [service('running'), service('starting')]],
  ['starting', [job('completed'), service('starting')]],
  ['partial', [service('running'), service('stopped')]],
  ['partial', [service('stopped'), service('paused')]],
  ['partial', [service('running'), service('missing')]],
  ['partial', [service('running'), service('unhealthy')]],
  ['partial', [service('starting'), service('stopped')]],
  ['partial', [job('running'), job('stopped')]],
  ['partial', [service('partial')]],
]

test.each(cases)('%s: %j', (expected, services) => {
  expect(stackStatus(facts(services))).toBe(expected)
  expect(stackStatus(facts([...services].reverse()))).toBe(expected)
})

test('the host decides first, then an operation that runs, then whether the stack is down', () => {
  for (const state of serviceStates) {
    const all = { isReachable: false, isChanging: true, isDown: true }
    expect(stackStatus(facts([service(state)], all))).toBe('unknown')
    expect(stackStatus(facts([service(state)], { ...all, isReachable: true }))).toBe('deploying')
    expect(stackStatus(facts([service(state)], { isDown: true }))).toBe('not_deployed')
  }
})

test('a stack of which nothing is expected is running, or stopped after a stop', () => {
  expect(stackStatus(facts([service('inactive')]))).toBe('running')
  expect(stackStatus(facts([service('inactive')], { isStopped: true }))).toBe('stopped')
})

const kinds = serviceStates.flatMap((state) => [service(state), job(state)])

/** Every combination of up to three services. */
const combinations = kinds.flatMap((one) => [
  [one],
  ...kinds.flatMap((two) => [[one, two], ...kinds.map((three) => [one, two, three])]),
])

test('a service that failed or restarts is never hidden by others', () => {
  for (const services of combinations) {
    const broken = services.some(({ state }) => state === 'failed' || state === 'restarting')
    expect(stackStatus(facts(services)) === 'failed').toBe(broken)
  }
})

test('running means that every active service is up or completed, and counts say so', () => {
  for (const services of combinations) {
    const { total, running } = countServices(services)
    const isWhole = total > 0 && running === total
    const isEmpty = total === 0
    expect(stackStatus(facts(services)) === 'running').toBe(isWhole || isEmpty)
    expect(total).toBe(services.filter(({ state }) => state !== 'inactive').length)
  }
})

test('a service whose health check fails is up, and counted apart', () => {
  const services = [service('unhealthy'), service('running'), service('stopped'), job('completed')]
  expect(countServices(services)).toEqual({ total: 4, running: 2, unhealthy: 1 })
})

test('inactive services change nothing beside others', () => {
  for (const services of combinations) {
    if (services.every(({ state }) => state === 'inactive')) continue
    const active = services.filter(({ state }) => state !== 'inactive')
    expect(stackStatus(facts(services))).toBe(stackStatus(facts(active)))
  }
})

// The rules in the words of their specification, and the two cases that it leaves out. The code
// under test decides in another way.

type Services = readonly JudgedService[]
type Rule = [StackStatus, (active: Services) => boolean]

const isIn =
  (...states: ServiceState[]) =>
  ({ state }: JudgedService) =>
    states.includes(state)
const noJobs = (active: Services) => active.filter(({ isJob }) => !isJob)
const rests = (active: Services, state: ServiceState) =>
  noJobs(active).length > 0 && noJobs(active).every(isIn(state))
/** Not in the specification: jobs alone, of which those that have not completed are at rest. */
const jobsRest = (active: Services, state: ServiceState) =>
  noJobs(active).length === 0 && active.some(isIn(state)) && active.every(isIn(state, 'completed'))

const rules: Rule[] = [
  ['failed', (active) => active.some(isIn('failed', 'restarting'))],
  ['stopped', (active) => rests(active, 'stopped') || jobsRest(active, 'stopped')],
  ['paused', (active) => rests(active, 'paused') || jobsRest(active, 'paused')],
  ['running', (active) => active.every(isIn('running', 'completed'))],
  ['starting', (active) => active.every(isIn('running', 'completed', 'starting'))],
  ['partial', () => true],
]

/** Every combination of what is decided before the services. */
const circumstances = [true, false].flatMap((isReachable) =>
  [true, false].flatMap((isChanging) =>
    [true, false].flatMap((isDown) =>
      [true, false].map((isStopped) => ({ isReachable, isChanging, isDown, isStopped })),
    ),
  ),
)

function ruled({ isReachable, isChanging, isDown, isStopped, services }: StackFacts): StackStatus {
  if (!isReachable) return 'unknown'
  if (isChanging) return 'deploying'
  if (isDown) return 'not_deployed'
  const active = services.filter(({ state }) => state !== 'inactive')
  // Not in the specification: a stop after which no service is expected any more.
  if (active.length === 0 && isStopped) return 'stopped'
  return rules.find(([, fits]) => fits(active))?.[0] ?? 'partial'
}

test('every stack of up to three services follows the rules', () => {
  const seen = new Set<StackStatus>()
  for (const services of [[], ...combinations]) {
    for (const circumstance of circumstances) {
      const stack = { ...circumstance, services }
      const status = stackStatus(stack)
      if (status !== ruled(stack)) expect(stack).toBe(ruled(stack))
      seen.add(status)
    }
  }
  expect([...seen].sort()).toEqual([...stackStatuses].sort())
})
