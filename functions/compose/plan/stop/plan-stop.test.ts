import { expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import type { Project } from '../../project.ts'
import { lines, plainOptions, projectOf } from '../../testing/plan-samples.ts'
import { apply, observe, resolveAll, simulatedHost } from '../../testing/simulated-host.ts'
import { planText } from '../plan-text.ts'
import { plan } from '../up/plan-project.ts'
import { planRestart } from './plan-restart.ts'
import { planRemove, planStop } from './plan-stop.ts'

const started = { condition: 'service_started', required: true } as const

const shop = projectOf(
  {
    db: {
      volumes: [
        { type: 'volume', source: 'data', target: '/data', volume: {} },
        { type: 'volume', target: '/own' },
      ],
    },
    cache: {},
    web: { depends_on: { db: started, cache: started }, stop_grace_period: '0s' },
    job: { depends_on: { db: { ...started, restart: true } } },
  },
  { volumes: { data: { name: 'shop_data' } } },
)

function deployed(project: Project = shop) {
  const host = simulatedHost(['db', 'cache', 'web'], ['job'])
  apply(host, plan(project, observe(host), resolveAll(host), plainOptions))
  return host
}

test('a stop ends dependents first and keeps networks and volumes', () => {
  const host = deployed()
  expect(planText(planStop(observe(host), shop))).toBe(
    lines(`
      0 remove container shop-web-1 (stop)
      1 remove container shop-job-1 (stop)
      2 stop container shop-db-1 (stop) after 0
      3 remove container shop-db-1 (stop) after 2
      4 stop container shop-cache-1 (stop) after 0
      5 remove container shop-cache-1 (stop) after 4
      `),
  )
})

test('rounds a grace period up to whole seconds', () => {
  const project = projectOf({ web: { stop_grace_period: '1.5s' }, db: { stop_grace_period: '2s' } })
  const { steps } = planStop(observe(deployed(project)), project)
  const stops = steps.filter(({ action }) => action === 'stop')
  expect(stops).toMatchObject([{ name: 'shop-web-1', timeoutSeconds: 2 }, { name: 'shop-db-1' }])
  expect(stops[1]).not.toHaveProperty('timeoutSeconds')
})

test('a stop without a project uses the labels of containers', () => {
  const host = deployed()
  expect(planText(planStop(observe(host), null))).toBe(
    lines(`
      0 stop container shop-web-1 (stop)
      1 remove container shop-web-1 (stop) after 0
      2 remove container shop-job-1 (stop)
      3 stop container shop-db-1 (stop) after 0
      4 remove container shop-db-1 (stop) after 3
      5 stop container shop-cache-1 (stop) after 0
      6 remove container shop-cache-1 (stop) after 5
      `),
  )
})

test('a removal includes networks', () => {
  const host = deployed(projectOf({ db: {} }))
  const options = { volumes: false, keptVolumes: {} }
  expect(planText(planRemove(observe(host), null, options))).toBe(
    lines(`
      0 stop container shop-db-1 (remove)
      1 remove container shop-db-1 (remove) after 0
      2 remove network shop_default (remove) after 1
      `),
  )
})

test('a network that cannot be removed does not fail the removal of a project', () => {
  const { steps } = planRemove(observe(deployed()), shop, { volumes: false, keptVolumes: {} })
  const networks = steps.filter(({ kind }) => kind === 'network')
  expect(networks.length).toBeGreaterThan(0)
  for (const step of networks) expect(step).toMatchObject({ action: 'remove', required: false })
})

test('a removal includes named, anonymous and kept volumes on request, but never external ones', () => {
  const host = deployed()
  const [, own] = present(host.containers.find(({ service }) => service === 'db')).mounts
  const external = { ...shop, volumes: { data: { name: 'shop_data', external: true as const } } }
  const removed = (project: Project) =>
    planRemove(observe(host), project, { volumes: true, keptVolumes: { 'old/1:/x': 'kept' } })
      .steps.filter(({ kind }) => kind === 'volume')
      .map(({ name }) => name)
  expect(removed(shop)).toEqual(['shop_data', 'kept', present(own).name])
  expect(removed(external)).toEqual(['kept', present(own).name])
})

test('a restart follows the dependency order and includes exited containers', () => {
  const host = deployed()
  expect(planText(planRestart(observe(host), shop, { services: [] }))).toBe(
    lines(`
      0 restart container shop-cache-1 (restart)
      1 restart container shop-db-1 (restart)
      2 restart container shop-job-1 (restart) after 1
      3 restart container shop-web-1 (restart) after 0 1
      `),
  )
})

test('a restart of one service includes dependents that request it', () => {
  const web = { depends_on: { db: { ...started, restart: true }, cache: started } }
  const project = projectOf({ db: {}, cache: {}, web })
  const host = deployed(project)
  expect(planText(planRestart(observe(host), project, { services: ['db'] }))).toBe(
    lines(`
      0 restart container shop-db-1 (restart)
      1 restart container shop-web-1 (restarts with db) after 0
      `),
  )
  expect(planText(planRestart(observe(host), project, { services: ['cache'] }))).toBe(
    lines(`
      0 restart container shop-cache-1 (restart)
      `),
  )
})
