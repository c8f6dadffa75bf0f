import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import type { Project } from '../project.ts'
import { lines, plainOptions, projectOf } from '../testing/plan-samples.ts'
import { apply, observe, resolveAll, simulatedHost } from '../testing/simulated-host.ts'
import { planText } from './plan-text.ts'
import { planRestart } from './stop/plan-restart.ts'
import { planPause, planServiceStop, planUnpause } from './stop/plan-service-stop.ts'
import { plan } from './up/plan-project.ts'
import { planServiceStart } from './up/plan-service-start.ts'

const started = { condition: 'service_started', required: true } as const

const shop = projectOf({
  db: { healthcheck: { test: ['CMD', 'true'] } },
  seed: {},
  web: {
    depends_on: {
      db: { condition: 'service_healthy', required: true },
      seed: { condition: 'service_completed_successfully', required: true },
    },
    scale: 2,
  },
  proxy: { depends_on: { web: { ...started, restart: true } } },
})

function deployed(project: Project = shop) {
  const host = simulatedHost(['db', 'web', 'proxy'], ['seed'])
  apply(host, plan(project, observe(host), resolveAll(host), plainOptions))
  return host
}

const states = (host: ReturnType<typeof deployed>) =>
  Object.fromEntries(host.containers.map(({ name, state }) => [name, state]))

const vpn = projectOf({
  gw: { healthcheck: { test: ['CMD', 'true'] } },
  app: {
    network_mode: 'service:gw',
    depends_on: { gw: { condition: 'service_healthy', required: true } },
  },
  debug: { pid: 'service:app', ipc: 'service:app' },
  copy: { volumes_from: ['gw'] },
})
function vpnHost() {
  const host = simulatedHost(['gw', 'app', 'debug', 'copy'], [])
  apply(host, plan(vpn, observe(host), resolveAll(host), plainOptions))
  return host
}

test('what shares namespaces restarts with the service that has them', () => {
  const restart = planRestart(observe(vpnHost()), vpn, { services: ['gw'] })
  expect(planText(restart)).toBe(
    lines(`
      0 restart container shop-gw-1 (restart)
      1 restart container shop-app-1 (shares a namespace of gw) after 0
      2 restart container shop-debug-1 (shares a namespace of app) after 1
      `),
  )
})

test('what shares namespaces restarts when the service that has them is started', () => {
  const host = vpnHost()
  apply(host, planServiceStop(observe(host), vpn, { services: ['gw'] }))
  const start = planServiceStart(observe(host), vpn, { services: ['gw'] })
  const text = planText(start)
  expect(text).toContain('0 start container shop-gw-1 (exited')
  expect(text).toContain('1 restart container shop-app-1 (shares a namespace of gw) after 0')
  expect(text).toContain('2 restart container shop-debug-1 (shares a namespace of app) after 1')
  expect(start.steps).toHaveLength(3)
})

test('a deploy restarts what was cut off from a container that has started since', () => {
  const host = vpnHost()
  const startedAt: Record<string, number> = { gw: 1000, app: 2000, debug: 3000 }
  const again = () => {
    const snapshot = observe(host)
    const containers = snapshot.containers.map((one) => {
      const at = startedAt[one.service]
      return at === undefined ? one : { ...one, startedAt: at }
    })
    return planText(plan(vpn, { ...snapshot, containers }, resolveAll(host), plainOptions))
  }
  expect(again()).toBe('')
  startedAt.gw = 4000
  const text = again()
  expect(text).toContain('stop container shop-app-1 (restarts with gw)')
  expect(text).toContain('start container shop-app-1 (restarts with gw)')
  expect(text).toContain('start container shop-debug-1 (restarts with app)')
  expect(text).not.toContain('shop-gw-1 (')
})

test('a stop of services stops just them, dependents first, and keeps their containers', () => {
  const host = deployed()
  const stop = planServiceStop(observe(host), shop, { services: ['db', 'web'] })
  expect(planText(stop)).toBe(
    lines(`
      0 stop container shop-web-1 (stop)
      1 stop container shop-web-2 (stop)
      2 stop container shop-db-1 (stop) after 0 1
      `),
  )
  apply(host, stop)
  expect(states(host)).toMatchObject({ 'shop-proxy-1': 'running', 'shop-web-2': 'exited' })
  expect(planServiceStop(observe(host), shop, { services: ['db', 'web'] }).steps).toEqual([])
})

test('a stop passes its timeout to the Engine, also a timeout of zero', () => {
  const asked = { services: ['proxy'], timeoutSeconds: 0 }
  const { steps } = planServiceStop(observe(deployed()), shop, asked)
  expect(steps).toMatchObject([{ action: 'stop', timeoutSeconds: 0 }])
})

test('a stop works by labels alone', () => {
  const host = deployed()
  const stop = planServiceStop(observe(host), null, { services: ['db', 'web'] })
  expect(stop.steps.map(({ name }) => name)).toEqual(['shop-web-1', 'shop-web-2', 'shop-db-1'])
})

test('a start brings up dependencies first and waits for their conditions', () => {
  const host = deployed()
  apply(host, planServiceStop(observe(host), shop, { services: ['db', 'web', 'proxy'] }))
  const start = planServiceStart(observe(host), shop, { services: ['web'] })
  expect(planText(start)).toBe(
    lines(`
      0 start container shop-db-1 (exited 137)
      1 wait container shop-db-1 until service_healthy (web depends on db) after 0
      2 start container shop-web-1 (exited 137) after 1
      3 start container shop-web-2 (exited 137) after 1
      `),
  )
  apply(host, start)
  expect(states(host)).toMatchObject({ 'shop-web-2': 'running', 'shop-proxy-1': 'exited' })
  expect(planServiceStart(observe(host), shop, { services: ['web'] }).steps).toEqual([])
})

test('a start runs a named job again', () => {
  const { steps } = planServiceStart(observe(deployed()), shop, { services: ['seed'] })
  expect(steps).toMatchObject([{ action: 'start', name: 'shop-seed-1', reason: 'exited 0' }])
})

test('409: a start needs containers', () => {
  const host = deployed()
  host.containers = host.containers.filter(({ service }) => service !== 'db')
  for (const project of [shop, null]) {
    expect(() => planServiceStart(observe(host), project, { services: ['db'] })).toThrow(
      'service db: it has no container to start',
    )
  }
})

test('a start works by labels alone, in their order', () => {
  const host = deployed()
  apply(host, planServiceStop(observe(host), shop, { services: ['db', 'web'] }))
  const { steps } = planServiceStart(observe(host), null, { services: ['web'] })
  const names = ['shop-db-1', 'shop-seed-1', 'shop-web-1', 'shop-web-2']
  expect(steps.map(({ name }) => name)).toEqual(names)
  expect(steps.at(-1)?.after).toEqual([0, 1])
})

test('a pause skips what is paused or does not run, and an unpause takes it back', () => {
  const host = deployed()
  present(host.containers.find(({ name }) => name === 'shop-web-1')).state = 'exited'
  const services = ['web', 'db']
  const pause = planPause(observe(host), { services })
  expect(planText(pause)).toBe(
    lines(`
      0 pause container shop-web-2 (pause)
      1 pause container shop-db-1 (pause)
      `),
  )
  apply(host, pause)
  expect(() => planPause(observe(host), { services })).toThrow('service web: it is already paused')
  apply(host, planUnpause(observe(host), { services }))
  expect(states(host)).toMatchObject({ 'shop-web-2': 'running', 'shop-db-1': 'running' })
})

test('a restart runs hooks around it and restarts dependents that ask for it', () => {
  const hook = { command: ['true'] }
  const db = { ...present(shop.services.db), pre_stop: [hook] }
  const web = { ...present(shop.services.web), post_start: [hook] }
  const project = { ...shop, services: { ...shop.services, db, web } }
  const host = deployed(project)
  const restart = planRestart(observe(host), project, { services: ['db'], timeoutSeconds: 3 })
  expect(planText(restart)).toBe(
    lines(`
      0 exec container shop-db-1 (pre_stop)
      1 restart container shop-db-1 (restart) after 0
      `),
  )
  expect(restart.steps[1]).toMatchObject({ timeoutSeconds: 3 })
  expect(planText(planRestart(observe(host), project, { services: ['web'] }))).toBe(
    lines(`
      0 restart container shop-web-1 (restart)
      1 exec container shop-web-1 (post_start) after 0
      2 restart container shop-web-2 (restart)
      3 exec container shop-web-2 (post_start) after 2
      4 restart container shop-proxy-1 (restarts with web) after 1 3
      `),
  )
})

const hooked = (project: Project, name: string) => {
  const service = { ...present(project.services[name]), post_start: [{ command: ['true'] }] }
  return { ...project, services: { ...project.services, [name]: service } }
}

test('what restarts because it shares namespaces runs its hooks', () => {
  const project = hooked(vpn, 'app')
  const host = simulatedHost(['gw', 'app', 'debug', 'copy'], [])
  apply(host, plan(project, observe(host), resolveAll(host), plainOptions))
  apply(host, planServiceStop(observe(host), project, { services: ['gw'] }))
  const text = planText(planServiceStart(observe(host), project, { services: ['gw'] }))
  expect(text).toContain('2 exec container shop-app-1 (post_start) after 1')
})

test('a start of a service that the files no longer have runs the hooks of its containers', () => {
  const project = hooked(shop, 'db')
  const host = deployed(project)
  apply(host, planServiceStop(observe(host), project, { services: ['db'] }))
  const options = { services: ['db'], creators: [project] }
  for (const now of [null, projectOf({ web: {} })]) {
    expect(planText(planServiceStart(observe(host), now, options))).toBe(
      lines(`
        0 start container shop-db-1 (start)
        1 exec container shop-db-1 (post_start) after 0
        `),
    )
  }
})
