import { expect, test } from 'vitest'
import type { Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import { deploy, deployed, projectOf } from '../../testing/plan-samples.ts'
import { apply } from '../../testing/simulated-host.ts'
import { planText } from '../plan-text.ts'

const started = { condition: 'service_started', required: true } as const

/** Returns a project whose services have these container names. */
const named = (names: Record<string, string>, more: Partial<Service> = {}) =>
  projectOf(
    Object.fromEntries(
      Object.entries(names).map(([service, name]) => [service, { container_name: name, ...more }]),
    ),
  )

const orders: [string, (count: number) => number][] = [
  ['first', () => 0],
  ['last', (count) => count - 1],
  ['middle', (count) => Math.floor(count / 2)],
]

test.each(orders)('services exchange their names in one deploy, %s step first', (_, pick) => {
  const host = deployed(named({ db: 'one', web: 'two', other: 'three' }))
  const after = named({ db: 'two', web: 'three', other: 'one' })
  apply(host, deploy(host, after), pick)
  const names = host.containers.map(({ service, name, state }) => `${service} ${name} ${state}`)
  expect(names.sort()).toEqual(['db two running', 'other one running', 'web three running'])
  expect(planText(deploy(host, after))).toBe('')
})

test.each(orders)(
  'a service takes the name that another one gives up, %s step first',
  (_, pick) => {
    const host = deployed(named({ db: 'one', web: 'two' }))
    apply(host, deploy(host, named({ db: 'two', web: 'free' })), pick)
    const names = host.containers.map(({ service, name }) => `${service} ${name}`)
    expect(names.sort()).toEqual(['db two', 'web free'])
  },
)

test.each(orders)('a renamed service takes the name of its orphan, %s step first', (_, pick) => {
  const host = deployed(named({ db: 'one' }))
  apply(host, deploy(host, named({ web: 'one' }), { removeOrphans: true }), pick)
  expect(host.containers.map(({ service, name }) => `${service} ${name}`)).toEqual(['web one'])
})

const together: [string, Partial<Service>][] = [
  ['services', {}],
  ['services that depend on each other', { depends_on: { db: started } }],
  ['services with one network', { network_mode: 'service:db' }],
]

/** Interrupts the deploy of a project after each number of steps, and deploys it again. */
function completes(before: Project, after: Project, expected: string[]): void {
  const { steps } = deploy(deployed(before), after)
  for (const [order, pick] of orders) {
    for (const { index: limit } of steps) {
      const host = deployed(before)
      apply(host, deploy(host, after), pick, limit)
      apply(host, deploy(host, after), pick)
      const names = host.containers.map(({ service, name, state }) => `${service} ${name} ${state}`)
      const found = { order, limit, names: names.sort(), left: planText(deploy(host, after)) }
      expect(found).toEqual({ order, limit, names: expected, left: '' })
    }
  }
}

test.each(together)('a new service takes the name that another gives up: %s', (_, web) => {
  const before = projectOf({ db: { container_name: 'one' } })
  const after = {
    ...named({ db: 'two', other: 'three' }).services,
    web: { container_name: 'one', ...web },
  }
  completes(before, projectOf(after), ['db two running', 'other three running', 'web one running'])
})

test.each(together)('the next deploy completes an interrupted exchange: %s', (_, web) => {
  const of = (db: string, other: string) =>
    projectOf({ db: { container_name: db }, web: { container_name: other, ...web } })
  completes(of('one', 'two'), of('two', 'one'), ['db two running', 'web one running'])
})

test('containers whose names stay are renamed without a wait for others', () => {
  const host = deployed(named({ db: 'one', web: 'two' }))
  const steps = deploy(host, named({ db: 'one', web: 'two' }, { user: '1' })).steps
  const renames = steps.filter(({ action }) => action === 'rename')
  const services = renames.map(({ after }) => new Set(after.map((index) => steps[index]?.service)))
  expect(services.map(({ size }) => size)).toEqual([1, 1])
})
