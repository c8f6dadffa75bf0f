import { expect, test } from 'vitest'
import { plan } from './plan.ts'
import { plainOptions, projectOf } from './plan-samples.ts'
import { apply, observe, resolveAll, simulatedHost } from './simulated-host.ts'
import { serviceStatuses } from './status.ts'

test('containers in order of service and number, and services without one', () => {
  const host = simulatedHost(['web', 'db'])
  const project = projectOf({ web: { scale: 2 }, db: {} })
  apply(host, plan(project, observe(host), resolveAll(host), plainOptions))
  Object.assign(host.containers.find(({ name }) => name === 'shop-db-1')!, {
    state: 'exited',
    exitCode: 3,
  })
  const statuses = serviceStatuses(['web', 'db', 'cache'], observe(host))
  expect(statuses.map(({ service, name, state }) => [service, name, state])).toEqual([
    ['cache', null, 'missing'],
    ['db', 'shop-db-1', 'exited'],
    ['web', 'shop-web-1', 'running'],
    ['web', 'shop-web-2', 'running'],
  ])
  expect(statuses[0]).toMatchObject({ containerId: null, exitCode: null, ports: [] })
  expect(statuses[1]).toMatchObject({ exitCode: 3, image: 'db', restarts: 0 })
})
