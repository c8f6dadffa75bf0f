import { describe, expect, test } from 'vitest'
import { pullsFirst } from './image-plan.ts'
import { plan } from './plan.ts'
import { planText } from './plan-text.ts'
import type { PlanOptions } from './planning.ts'
import type { Project } from './project.ts'
import {
  apply,
  lines,
  observe,
  plainOptions,
  projectOf,
  resolveAll,
  type SimulatedHost,
  simulatedHost,
} from './simulated-host.ts'
import { keepVolumes } from './wanted.ts'

const images = ['db', 'web', 'job', 'other']

function deploy(host: SimulatedHost, project: Project, options: Partial<PlanOptions> = {}) {
  return plan(project, observe(host), resolveAll(host), { ...plainOptions, ...options })
}

/** A host on which a project was deployed. */
function deployed(project: Project): SimulatedHost {
  const host = simulatedHost(images, ['job'])
  apply(host, deploy(host, project))
  return host
}

const healthcheck = { test: ['CMD', 'ok'] }
const healthy = { condition: 'service_healthy', required: true } as const
const started = { condition: 'service_started', required: true } as const
const completed = { condition: 'service_completed_successfully', required: true } as const

const shop = projectOf(
  {
    db: {
      healthcheck,
      networks: { back: null },
      volumes: [{ type: 'volume', source: 'data', target: '/data', volume: {} }],
    },
    web: { networks: { back: null, default: null }, depends_on: { db: healthy } },
  },
  {
    networks: { back: { name: 'shop_back', ipam: {} } },
    volumes: { data: { name: 'shop_data' } },
  },
)

function changed(project: Project, name: string, change: Partial<Project['services'][string]>) {
  const service = { ...project.services[name]!, ...change }
  return { ...project, services: { ...project.services, [name]: service } }
}

describe('first deploy', () => {
  test('creates in parallel, connects further networks and waits for conditions', () => {
    expect(planText(deploy(simulatedHost(images), shop))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create network shop_back (no network)
      2 create volume shop_data (no volume)
      3 create container shop-db-1 (no container) after 1 2
      4 create container shop-web-1 (no container) after 0 1
      5 connect network shop_default to shop-web-1 (no container) after 4
      6 start container shop-db-1 (no container) after 3
      7 wait container shop-db-1 until service_healthy (web depends on db) after 6
      8 start container shop-web-1 (no container) after 4 5 7
      `),
    )
  })

  test('gives all networks at once from API 1.44 on', () => {
    const made = deploy(simulatedHost(images), shop, { apiVersion: '1.44' })
    expect(planText(made)).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create network shop_back (no network)
      2 create volume shop_data (no volume)
      3 create container shop-db-1 (no container) after 1 2
      4 create container shop-web-1 (no container) after 0 1
      5 start container shop-db-1 (no container) after 3
      6 wait container shop-db-1 until service_healthy (web depends on db) after 5
      7 start container shop-web-1 (no container) after 4 6
      `),
    )
  })

  test('pulls what is missing once, and only its services wait for it', () => {
    const project = projectOf({ a: { image: 'web' }, b: { image: 'web' }, db: {} })
    expect(planText(deploy(simulatedHost(['db']), project))).toBe(
      lines(`
      0 pull image web (image missing)
      1 create network shop_default (no network)
      2 create container shop-a-1 (no container) after 0 1
      3 create container shop-b-1 (no container) after 0 1
      4 create container shop-db-1 (no container) after 1
      5 start container shop-a-1 (no container) after 2
      6 start container shop-b-1 (no container) after 3
      7 start container shop-db-1 (no container) after 4
      `),
    )
  })

  test('writes files first for services that mount from the directory; others go ahead', () => {
    const project = projectOf({
      db: {},
      web: { volumes: [{ type: 'bind', source: '/srv/shop/conf', target: '/c', bind: {} }] },
    })
    const files = [{ path: 'compose.yaml', mode: 0o644 }]
    expect(planText(deploy(simulatedHost(images), project, { files }))).toBe(
      lines(`
      0 write files /srv/shop (files changed)
      1 create network shop_default (no network)
      2 create container shop-db-1 (no container) after 1
      3 create container shop-web-1 (no container) after 0 1
      4 start container shop-db-1 (no container) after 2
      5 start container shop-web-1 (no container) after 0 3
      `),
    )
  })

  test('puts contents in before the start and runs commands after it', () => {
    const web = {
      configs: [{ source: 'motd', target: '/etc/motd' }],
      post_start: [{ command: ['warm'] }],
    }
    const configs = { motd: { name: 'shop_motd', content: 'hello' } }
    const project = projectOf({ web, db: { depends_on: { web: started } } }, { configs })
    expect(planText(deploy(simulatedHost(images), project))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create container shop-web-1 (no container) after 0
      2 create container shop-db-1 (no container) after 0
      3 upload container shop-web-1 (no container) after 1
      4 start container shop-web-1 (no container) after 3
      5 exec container shop-web-1 (post_start) after 4
      6 start container shop-db-1 (no container) after 2 5
      `),
    )
  })

  test('starts those that pick from a range of ports one after another', () => {
    const range = { target: 80, published: '8000-8005', protocol: 'tcp' }
    const project = projectOf({ db: {}, web: { scale: 2, ports: [range] } })
    expect(planText(deploy(simulatedHost(images), project))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create container shop-db-1 (no container) after 0
      2 create container shop-web-1 (no container) after 0
      3 create container shop-web-2 (no container) after 0
      4 start container shop-db-1 (no container) after 1
      5 start container shop-web-1 (no container) after 2
      6 start container shop-web-2 (no container) after 3 5
      `),
    )
  })

  test('waits for an optional dependency by a step that may fail', () => {
    const optional = { condition: 'service_started', required: false } as const
    const project = projectOf({ db: {}, web: { depends_on: { db: optional } } })
    expect(planText(deploy(simulatedHost(images), project))).toBe(
      lines(`
      0 create network shop_default (no network)
      1 create container shop-db-1 (no container) after 0
      2 create container shop-web-1 (no container) after 0
      3 start container shop-db-1 (no container) after 1
      4 wait container shop-db-1 until service_started (web depends on db) after 3
      5 start container shop-web-1 (no container) after 2 4
      `),
    )
  })
})

describe('deploying again', () => {
  test('does nothing when nothing changed', () => {
    expect(planText(deploy(deployed(shop), shop))).toBe('')
  })

  test('replaces only the service that changed', () => {
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

  test('replaces what was made from another image of that name', () => {
    const host = deployed(shop)
    host.images.set('web', 'sha256:newer')
    expect(planText(deploy(host, shop))).toContain('_shop-web-1 (image changed)')
  })

  test('restarts dependents that ask for it, and waits again', () => {
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

  test('replaces what joins a container that is replaced', () => {
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

  test('restarts what joins a container that had died, or was moved to another network', () => {
    const wish = { depends_on: { db: { ...started, restart: true } } }
    const joined = projectOf({ db: {}, web: { network_mode: 'service:db', ...wish } })
    const host = deployed(joined)
    Object.assign(host.containers[0]!, { state: 'exited', exitCode: 1 })
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

  test('replaces everything when forced', () => {
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

  test('scales up from the highest number and down from it', () => {
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

  test('gives up an outdated container before one with a higher number', () => {
    const host = deployed(projectOf({ web: { scale: 2 } }))
    host.containers[0]!.labels['com.docker.compose.config-hash'] = 'old'
    expect(planText(deploy(host, projectOf({ web: {} })))).toBe(
      lines(`
      0 stop container shop-web-1 (scale 2 to 1)
      1 remove container shop-web-1 (scale 2 to 1) after 0
      `),
    )
  })

  test('replaces containers that miss their network or volume', () => {
    const host = deployed(shop)
    host.containers.find(({ service }) => service === 'web')!.networks.shop_back = 'another'
    host.containers.find(({ service }) => service === 'db')!.mounts = []
    const text = planText(deploy(host, shop))
    expect(text).toContain('_shop-web-1 (network changed)')
    expect(text).toContain('_shop-db-1 (volume missing)')
  })

  test('replaces a container whose config has other contents', () => {
    const web = { configs: [{ source: 'motd' }] }
    const project = (content: string) =>
      projectOf({ web }, { configs: { motd: { name: 'shop_motd', content } } })
    const host = deployed(project('one'))
    expect(planText(deploy(host, project('one')))).toBe('')
    expect(planText(deploy(host, project('two')))).toContain('_shop-web-1 (config changed)')
  })

  test('takes over a container that an interrupted deploy left', () => {
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

  test('runs commands before a stop', () => {
    const hooked = projectOf({ web: { pre_stop: [{ command: ['drain'] }] } })
    const made = deploy(deployed(hooked), hooked, { forceRecreate: true })
    expect(planText(made)).toContain('exec container shop-web-1 (pre_stop)')
  })
})

describe('containers that do not run', () => {
  const jobs = projectOf({ job: {}, web: { depends_on: { job: completed } } })

  test('a job that ended well is not run again', () => {
    expect(planText(deploy(deployed(jobs), jobs))).toBe('')
  })

  test('a job that failed is, and its dependents wait for it', () => {
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

  test('a server is started, also when it ended with 0', () => {
    const server = projectOf({ web: { ports: [{ target: 80, protocol: 'tcp' }] } })
    const host = deployed(server)
    Object.assign(host.containers[0]!, { state: 'exited', exitCode: 0 })
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

  test('are told of', () => {
    expect(planText(deploy(host, project))).toBe(
      lines(`
      warning: containers of services that are not in the project: shop-other-1
      `),
    )
  })

  test('are removed when asked', () => {
    expect(planText(deploy(host, project, { removeOrphans: true }))).toBe(
      lines(`
      0 stop container shop-other-1 (orphan)
      1 remove container shop-other-1 (orphan) after 0
      `),
    )
  })
})

describe('networks and volumes', () => {
  const internal = {
    ...shop,
    networks: { ...shop.networks, back: { name: 'shop_back', ipam: {}, internal: true } },
  }

  test('a changed network is replaced under its containers, which keep their identity', () => {
    expect(planText(deploy(deployed(shop), internal))).toBe(
      lines(`
      0 stop container shop-db-1 (network changed)
      1 disconnect network shop_back from shop-db-1 (network changed) after 0
      2 stop container shop-web-1 (network changed)
      3 disconnect network shop_back from shop-web-1 (network changed) after 2
      4 remove network shop_back (network changed) after 1 3
      5 create network shop_back (network changed) after 4
      6 connect network shop_back to shop-db-1 (network changed) after 5
      7 connect network shop_back to shop-web-1 (network changed) after 5
      8 start container shop-db-1 (network changed) after 6
      9 wait container shop-db-1 until service_healthy (web depends on db) after 8
      10 start container shop-web-1 (network changed) after 7 9
      `),
    )
  })

  test('a changed network that others use is kept', () => {
    const host = deployed(shop)
    host.networks.find(({ name }) => name === 'shop_back')!.containers.push('foreign')
    expect(planText(deploy(host, internal))).toBe(
      lines(`
      warning: network shop_back has changed, but is kept: containers outside the project use it
      `),
    )
  })

  test('a network of another maker is used as it is', () => {
    const host = simulatedHost(images)
    host.networks.push({ id: 'n', name: 'shop_default', labels: {}, containers: [] })
    expect(planText(deploy(host, projectOf({ web: {} })))).toBe(
      lines(`
      0 create container shop-web-1 (no container)
      1 start container shop-web-1 (no container) after 0
      warning: network shop_default was not created by this project and is used as it is
      `),
    )
  })

  test('a changed volume is kept', () => {
    const project = { ...shop, volumes: { data: { name: 'shop_data', driver: 'nfs' } } }
    expect(planText(deploy(deployed(shop), project))).toBe(
      lines(`
      warning: volume shop_data has changed, but is kept as it is: its data would be lost
      `),
    )
  })

  test('anonymous volumes are inherited, and found again after a stop', () => {
    const project = projectOf({ db: { volumes: [{ type: 'volume', target: '/own' }] } })
    const host = deployed(project)
    const volume = host.containers[0]!.mounts[0]!.name
    apply(host, deploy(host, project, { forceRecreate: true }))
    expect(host.containers[0]!.mounts.map(({ name }) => name)).toEqual([volume])
    const keptVolumes = keepVolumes({}, observe(host))
    host.containers = []
    apply(host, deploy(host, project, { keptVolumes }))
    expect(host.containers[0]!.mounts.map(({ name }) => name)).toEqual([volume])
  })
})

describe('images', () => {
  const project = projectOf({ web: { pull_policy: 'always' }, db: {} })

  test('pulls on which a replacement depends come before the plan', () => {
    const host = deployed(projectOf({ web: {}, db: {} }))
    const first = pullsFirst(project, observe(host), resolveAll(host), plainOptions)
    expect(planText(first)).toBe(
      lines(`
      0 pull image web (pull always)
      `),
    )
    host.images.set('web', 'sha256:newer')
    const text = planText(deploy(host, project, { pulled: ['web'] }))
    expect(text).not.toContain('pull')
    expect(text).toContain('_shop-web-1 (image changed)')
  })

  test('an option wins over what services say', () => {
    const host = deployed(project)
    expect(planText(deploy(host, project, { pull: 'never' }))).toBe('')
    expect(planText(deploy(host, project, { pull: 'always' }))).toBe(
      lines(`
      0 pull image web (pull always)
      1 pull image db (pull always)
      `),
    )
  })
})

describe('422', () => {
  function refused(project: Project): string {
    try {
      deploy(simulatedHost([]), project)
    } catch (error) {
      expect(error).toMatchObject({ name: 'Failure', status: 422 })
      return (error as Error).message
    }
    throw new Error('was planned')
  }

  test('422: an external network or volume is not there', () => {
    const networks = { out: { name: 'out', external: true as const, ipam: {} } }
    expect(refused(projectOf({ web: { networks: { out: null } } }, { networks }))).toBe(
      'networks.out: external network out is not on the host',
    )
    const volumes = { out: { name: 'out', external: true as const } }
    const mount = { type: 'volume' as const, source: 'out', target: '/o' }
    expect(refused(projectOf({ web: { volumes: [mount] } }, { volumes }))).toBe(
      'volumes.out: external volume out is not on the host',
    )
  })

  test('422: an image that is never pulled or would have to be built', () => {
    expect(refused(projectOf({ web: { pull_policy: 'never' } }))).toBe(
      'services.web: image web is not on the host and is never pulled',
    )
    expect(refused(projectOf({ web: { build: { context: '.' }, image: undefined } }))).toBe(
      'services.web.build: building is not supported and image shop-web is not on the host',
    )
  })

  test('422: a cycle', () => {
    const a = { depends_on: { b: started } }
    const b = { depends_on: { a: started } }
    expect(refused(projectOf({ a, b }))).toBe('services: dependency cycle detected: a -> b -> a')
  })

  test('422: what this Engine is too old for, and what is not supported at all', () => {
    const check = { test: ['CMD', 'x'], start_period: '2s', start_interval: '1s' }
    expect(refused(projectOf({ web: { healthcheck: check } }))).toBe(
      'services.web.healthcheck.start_interval: needs an Engine with API 1.44, this one has 1.41',
    )
    expect(refused(projectOf({ web: { use_api_socket: true } }))).toBe(
      'services.web.use_api_socket: not supported',
    )
    expect(refused(projectOf({ web: { pull_policy: 'daily' } }))).toBe(
      'services.web.pull_policy: daily is not supported',
    )
  })

  test('422: a secret without a value, and contents for a read-only container', () => {
    const web = { secrets: [{ source: 'key' }] }
    const unset = { secrets: { key: { name: 'k', environment: 'KEY' } } }
    expect(refused(projectOf({ web }, unset))).toBe(
      'services.web.secrets.key: environment variable KEY is not set',
    )
    const given = { secrets: { key: { name: 'k', content: 'v' } } }
    expect(refused(projectOf({ web: { ...web, read_only: true } }, given))).toBe(
      'services.web.secrets.key: content cannot be put into a read_only container, use a file',
    )
  })
})
