import { expect, test } from 'vitest'
import type { Step } from '../../step.ts'
import { changed, deploy, lines, projectOf, started } from '../../testing/plan-samples.ts'
import { apply, simulatedHost } from '../../testing/simulated-host.ts'
import type { SimulatedHost } from '../../testing/simulated-state.ts'
import { planText } from '../plan-text.ts'

const pre_start = [
  { command: ['migrate'], image: 'job', environment: { B: '2' } },
  { command: ['seed'], image: 'job', user: 'root', privileged: true, working_dir: '/seed' },
]
const shop = projectOf({
  db: {},
  web: { pre_start, scale: 2, depends_on: { db: started }, environment: { A: '1', B: '1' } },
})

const host = () => simulatedHost(['db', 'web', 'newer'], ['job'])

function up(on: SimulatedHost, project = shop): string {
  const plan = deploy(on, project)
  apply(on, plan)
  return planText(plan)
}

test('runs the commands one after another before the first container, then removes them', () => {
  const on = host()
  expect(up(on)).toBe(
    lines(`
    0 create network shop_default (no network)
    1 create container shop-db-1 (no container) after 0
    2 create container shop-web-1 (no container) after 0
    3 create container shop-web-2 (no container) after 0
    4 start container shop-db-1 (no container) after 1
    5 create container shop-web-pre_start-1 (pre_start[0]) after 2 3 4
    6 start container shop-web-pre_start-1 (pre_start[0]) after 5
    7 wait container shop-web-pre_start-1 until service_completed_successfully (pre_start[0]) after 6
    8 remove container shop-web-pre_start-1 (pre_start[0]) after 7
    9 create container shop-web-pre_start-2 (pre_start[1]) after 8
    10 start container shop-web-pre_start-2 (pre_start[1]) after 9
    11 wait container shop-web-pre_start-2 until service_completed_successfully (pre_start[1]) after 10
    12 remove container shop-web-pre_start-2 (pre_start[1]) after 11
    13 start container shop-web-1 (no container) after 2 4 12
    14 start container shop-web-2 (no container) after 3 4 12
    `),
  )
  expect(up(on)).toBe('')
})

test('gives them the variables, volumes and networks of the service, but not its names', () => {
  const creates = deploy(host(), shop).steps.filter(
    (step): step is Extract<Step, { action: 'create'; kind: 'container' }> =>
      step.action === 'create' && step.name.includes('pre_start'),
  )
  expect(creates.map(({ body }) => body)).toMatchObject([
    {
      Image: 'job',
      Cmd: ['migrate'],
      Env: ['A=1', 'B=2'],
      HostConfig: { VolumesFrom: ['shop-web-1'], NetworkMode: 'shop_default' },
      NetworkingConfig: { EndpointsConfig: { shop_default: {} } },
      Labels: { 'com.docker.compose.oneoff': 'True', 'com.docker.compose.hook': 'pre_start' },
    },
    { Cmd: ['seed'], User: 'root', WorkingDir: '/seed', HostConfig: { Privileged: true } },
  ])
})

test('runs them again after a change, but not when scaling up', () => {
  const on = host()
  up(on)
  expect(up(on, changed(shop, 'web', { scale: 3 }))).not.toContain('pre_start')
  expect(up(on, changed(shop, 'web', { image: 'newer' }))).toContain('pre_start')
})

test('removes what a failed command left first', () => {
  const on = host()
  const plan = deploy(on, shop)
  apply(on, plan, () => 0, 7)
  expect(on.containers.map(({ name }) => name)).toContain('shop-web-pre_start-1')
  expect(up(on)).toContain('remove container shop-web-pre_start-1 (left by a failed pre_start)')
  expect(on.containers.map(({ name }) => name)).not.toContain('shop-web-pre_start-1')
})
