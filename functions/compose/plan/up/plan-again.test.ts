import { describe, expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import type { Service } from '../../service.ts'
import {
  changed,
  completed,
  deploy,
  deployed,
  healthy,
  lines,
  projectOf,
  shop,
  started,
} from '../../testing/plan-samples.ts'
import { apply } from '../../testing/simulated-host.ts'
import { planText } from '../plan-text.ts'

describe('deploying again', () => {
  test('does nothing when nothing changed', () => {
    expect(planText(deploy(deployed(shop), shop))).toBe('')
  })

  test('replaces only the changed service', () => {
    const project = changed(shop, 'web', { environment: { A: '1' } })
    expect(planText(deploy(deployed(shop), project))).toBe(
      lines(`
      0 recreate container 000000000004_shop-web-1 (config changed)
      1 connect network shop_default to 000000000004_shop-web-1 (config changed) after 0
      2 stop container shop-web-1 (config changed) after 0 1
      3 remove container shop-web-1 (config changed) after 0 1 2
      4 rename container 000000000004_shop-web-1 to shop-web-1 (config changed) after 0 1 3
      5 start container shop-web-1 (config changed) after 4
      `),
    )
  })

  test('replaces a container whose image name now refers to another image', () => {
    const host = deployed(shop)
    host.images.set('web', 'sha256:newer')
    expect(planText(deploy(host, shop))).toContain('_shop-web-1 (image changed)')
  })

  test('restarts dependents that request it, and waits again', () => {
    const before = changed(shop, 'web', { depends_on: { db: { ...healthy, restart: true } } })
    const after = changed(before, 'db', { user: '1' })
    expect(planText(deploy(deployed(before), after))).toBe(
      lines(`
      0 recreate container 000000000003_shop-db-1 (config changed)
      1 stop container shop-web-1 (restarts with db) after 0
      2 stop container shop-db-1 (config changed) after 0 1
      3 remove container shop-db-1 (config changed) after 0 2
      4 rename container 000000000003_shop-db-1 to shop-db-1 (config changed) after 0 3
      5 start container shop-db-1 (config changed) after 4
      6 wait container shop-db-1 until service_healthy (web depends on db) after 5
      7 start container shop-web-1 (restarts with db) after 1 6
      `),
    )
  })

  test('replaces a container that shares the network of a replaced one', () => {
    const joined = projectOf({ db: {}, web: { network_mode: 'service:db' } })
    expect(planText(deploy(deployed(joined), changed(joined, 'db', { user: '1' })))).toBe(
      lines(`
      0 recreate container 000000000002_shop-db-1 (config changed)
      1 recreate container 000000000003_shop-web-1 (parent recreated) after 0
      2 stop container shop-web-1 (parent recreated) after 1
      3 remove container shop-web-1 (parent recreated) after 1 2
      4 rename container 000000000003_shop-web-1 to shop-web-1 (parent recreated) after 1 3
      5 stop container shop-db-1 (config changed) after 0
      6 remove container shop-db-1 (config changed) after 0 5
      7 rename container 000000000002_shop-db-1 to shop-db-1 (config changed) after 0 6
      8 start container shop-db-1 (config changed) after 7
      9 start container shop-web-1 (parent recreated) after 4 8
      `),
    )
  })

  test('restarts a container that shares the network of one that died or changed networks', () => {
    const wish = { depends_on: { db: { ...started, restart: true } } }
    const joined = projectOf({ db: {}, web: { network_mode: 'service:db', ...wish } })
    const host = deployed(joined)
    Object.assign(present(host.containers[0]), { state: 'exited', exitCode: 1 })
    expect(planText(deploy(host, joined))).toBe(
      lines(`
      0 stop container shop-web-1 (restarts with db)
      1 start container shop-db-1 (exited 1)
      2 start container shop-web-1 (restarts with db) after 0 1
      `),
    )
    const internal = { default: { name: 'shop_default', ipam: {}, internal: true } }
    const text = planText(deploy(deployed(joined), { ...joined, networks: internal }))
    expect(text).toContain('start container shop-web-1 (restarts with db)')
  })

  test('replaces everything with forceRecreate', () => {
    const project = projectOf({ db: {} })
    expect(planText(deploy(deployed(project), project, { forceRecreate: true }))).toBe(
      lines(`
      0 recreate container 000000000002_shop-db-1 (forced)
      1 stop container shop-db-1 (forced) after 0
      2 remove container shop-db-1 (forced) after 0 1
      3 rename container 000000000002_shop-db-1 to shop-db-1 (forced) after 0 2
      4 start container shop-db-1 (forced) after 3
      `),
    )
  })

  test('scales up and down at the highest number', () => {
    const two = projectOf({ web: { scale: 2 } })
    const one = projectOf({ web: { scale: 1 } })
    expect(planText(deploy(deployed(one), two))).toBe(
      lines(`
      0 create container shop-web-2 (scale 1 to 2)
      1 start container shop-web-2 (scale 1 to 2) after 0
      `),
    )
    expect(planText(deploy(deployed(two), one))).toBe(
      lines(`
      0 stop container shop-web-2 (scale 2 to 1)
      1 remove container shop-web-2 (scale 2 to 1) after 0
      `),
    )
  })

  test('scales down outdated containers first', () => {
    const host = deployed(projectOf({ web: { scale: 2 } }))
    present(host.containers[0]).labels['com.docker.compose.config-hash'] = 'old'
    expect(planText(deploy(host, projectOf({ web: {} })))).toBe(
      lines(`
      0 stop container shop-web-1 (scale 2 to 1)
      1 remove container shop-web-1 (scale 2 to 1) after 0
      `),
    )
  })

  test('replaces containers without their network or volume', () => {
    const host = deployed(shop)
    present(host.containers.find(({ service }) => service === 'web')).networks.shop_back = 'another'
    present(host.containers.find(({ service }) => service === 'db')).mounts = []
    const text = planText(deploy(host, shop))
    expect(text).toContain('_shop-web-1 (network changed)')
    expect(text).toContain('_shop-db-1 (volume missing)')
  })

  test('replaces a container if the content of its config changed', () => {
    const web = { configs: [{ source: 'motd' }] }
    const project = (content: string) =>
      projectOf({ web }, { configs: { motd: { name: 'shop_motd', content } } })
    const host = deployed(project('one'))
    expect(planText(deploy(host, project('one')))).toBe('')
    expect(planText(deploy(host, project('two')))).toContain('_shop-web-1 (config changed)')
  })

  test('takes over a container left by an interrupted deploy', () => {
    const project = projectOf({ web: { user: '1' } })
    const host = deployed(projectOf({ web: {} }))
    const interrupted = deploy(host, project)
    apply(host, interrupted, undefined, 1)
    expect(planText(deploy(host, project))).toBe(
      lines(`
      0 stop container shop-web-1 (left by an interrupted deploy)
      1 remove container shop-web-1 (left by an interrupted deploy) after 0
      2 rename container 000000000002_shop-web-1 to shop-web-1 (left by an interrupted deploy) after 1
      3 start container shop-web-1 (never started) after 1 2
      `),
    )
  })

  test('runs pre_stop commands before a stop', () => {
    const hooked = projectOf({ web: { pre_stop: [{ command: ['drain'] }] } })
    const made = deploy(deployed(hooked), hooked, { forceRecreate: true })
    expect(planText(made)).toContain('exec container shop-web-1 (pre_stop)')
  })

  test('a variable of a command without a value is unset, as in docker compose', () => {
    const environment = { A: '1', B: null, C: '' }
    const hooked = projectOf({ web: { pre_stop: [{ command: ['drain'], environment }] } })
    const made = deploy(deployed(hooked), hooked, { forceRecreate: true })
    const exec = made.steps.find(({ action }) => action === 'exec')
    expect(exec).toMatchObject({ body: { Env: ['A=1', 'B', 'C='] } })
  })
})

describe('containers that are not running', () => {
  const jobs = projectOf({ job: {}, web: { depends_on: { job: completed } } })
  const waits = { restart: 'always', depends_on: { job: completed } }
  const port = { target: 80, protocol: 'tcp' }
  const deployment = { resources: {}, placement: {} }
  const restartOn = (condition: string) => ({ ...deployment, restart_policy: { condition } })
  /** All services but those that wait for others have ended with 0. */
  const ended = (services: Record<string, Partial<Service>>) => {
    const host = deployed(projectOf(services))
    for (const container of host.containers) {
      if (services[container.service]?.depends_on) continue
      Object.assign(container, { state: 'exited', exitCode: 0 })
    }
    return host
  }

  test('does not repeat a job that succeeded', () => {
    expect(planText(deploy(deployed(jobs), jobs))).toBe('')
  })

  test.each<[declared: string, services: Record<string, Partial<Service>>]>([
    ['no service depends on it', { job: {} }],
    ['restart: no', { job: { restart: 'no' } }],
    ['restart: on-failure', { job: { restart: 'on-failure:3' } }],
    ['a restart policy on-failure', { job: { deploy: restartOn('on-failure') } }],
    ['a restart policy none', { job: { deploy: restartOn('none') } }],
    [
      'a mode of jobs',
      { job: { deploy: { ...deployment, mode: 'replicated-job' }, ports: [port] } },
    ],
    ['a disabled health check', { job: { healthcheck: { disable: true } } }],
    ['no test as health check', { job: { healthcheck: { test: ['NONE'] } } }],
    ['on-failure, waited for', { job: { restart: 'on-failure' }, web: waits }],
  ])('does not repeat a job that succeeded: %s', (_, services) => {
    expect(planText(deploy(ended(services), projectOf(services)))).toBe('')
  })

  test.each<[what: string, services: Record<string, Partial<Service>>]>([
    ['restart: always', { web: { restart: 'always' } }],
    ['restart: unless-stopped', { web: { restart: 'unless-stopped' } }],
    ['a restart policy any', { web: { deploy: restartOn('any') } }],
    ['ports', { web: { restart: 'on-failure', ports: [port] } }],
    ['a health check', { web: { healthcheck: { test: ['CMD', 'true'] } } }],
  ])('starts what ended with 0 and is no job: %s', (_, services) => {
    const text = planText(deploy(ended(services), projectOf(services)))
    expect(text).toContain('start container shop-web-1 (exited 0)')
  })

  test('repeats a job that failed, and its dependents wait for it', () => {
    const host = deployed(jobs)
    for (const container of host.containers) {
      Object.assign(container, { state: 'exited', exitCode: 1 })
    }
    expect(planText(deploy(host, jobs))).toBe(
      lines(`
      0 start container shop-job-1 (exited 1)
      1 wait container shop-job-1 until service_completed_successfully (web depends on job) after 0
      2 start container shop-web-1 (exited 1) after 1
      `),
    )
  })

  test('starts a server even if it exited with 0', () => {
    const server = projectOf({ web: { ports: [{ target: 80, protocol: 'tcp' }] } })
    const host = deployed(server)
    Object.assign(present(host.containers[0]), { state: 'exited', exitCode: 0 })
    expect(planText(deploy(host, server))).toBe(
      lines(`
      0 start container shop-web-1 (exited 0)
      `),
    )
  })
})

describe('orphans', () => {
  const host = deployed(projectOf({ web: {}, other: {} }))
  const project = projectOf({ web: {} })

  test('cause a warning', () => {
    expect(planText(deploy(host, project))).toBe(
      lines(`
      warning: containers of services that are not in the project: shop-other-1: a deploy with \`remove_orphans\` removes them
      `),
    )
  })

  test('are not the containers of services whose profiles are off: those are named', () => {
    const services = { other: present(projectOf({ other: {} }).services.other) }
    const without = { ...project, disabled_services: services }
    const here = deployed(projectOf({ web: {}, other: {} }))
    const warning =
      'warning: containers of services whose profiles are not active keep running: shop-other-1'
    for (const removeOrphans of [false, true]) {
      expect(planText(deploy(here, without, { removeOrphans }))).toBe(warning)
    }
    for (const container of here.containers) container.state = 'exited'
    expect(planText(deploy(here, without))).not.toContain('shop-other-1')
  })

  test('are removed on request', () => {
    expect(planText(deploy(host, project, { removeOrphans: true }))).toBe(
      lines(`
      0 stop container shop-other-1 (orphan)
      1 remove container shop-other-1 (orphan) after 0
      `),
    )
  })

  test('include one-off containers that have ended, without a warning', () => {
    for (const [state, steps] of [
      ['exited', ['remove container shop-web-run-1 (orphan)']],
      ['dead', ['remove container shop-web-run-1 (orphan)']],
      ['running', []],
      ['created', []],
    ] as const) {
      const here = deployed(project)
      const [web] = here.containers
      const oneOff = { ...present(web), id: 'one-off', name: 'shop-web-run-1', oneoff: true, state }
      here.containers.push(oneOff)
      const text = planText(deploy(here, project, { removeOrphans: true }))
      for (const step of steps) expect(text).toContain(step)
      if (steps.length === 0) expect(text).not.toContain('shop-web-run-1')
      expect(planText(deploy(here, project))).not.toContain('shop-web-run-1')
    }
  })
})
