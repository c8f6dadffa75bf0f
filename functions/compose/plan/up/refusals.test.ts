import { describe, expect, test } from 'vitest'
import type { Project } from '../../project.ts'
import { deploy, projectOf, started } from '../../testing/plan-samples.ts'
import { simulatedHost } from '../../testing/simulated-host.ts'

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

  test('422: a missing external network or volume', () => {
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

  test('422: an image that is never pulled, or an unsupported build', () => {
    expect(refused(projectOf({ web: { pull_policy: 'never' } }))).toBe(
      'services.web: image web is not on the host and is never pulled',
    )
    const build = { context: '/srv/shop', ssh: ['default'] }
    expect(refused(projectOf({ web: { build, image: undefined } }))).toBe(
      'services.web.build.ssh: not supported: the service has no SSH agent; use build.secrets with a key',
    )
  })

  test('422: a mount whose target is a Windows drive or no absolute path', () => {
    const mounted = (target: string) =>
      refused(projectOf({ web: { volumes: [{ type: 'volume', target }] } }))
    expect(mounted('v:/d')).toBe(
      'services.web.volumes[0]: v:/d means a Windows drive; for the volume v write {type: volume, source: v, target: /d}',
    )
    expect(mounted('data')).toBe(
      'services.web.volumes[0]: the target data must be an absolute path',
    )
  })

  test('422: two services with one container name', () => {
    const services = { a: { container_name: 'one' }, b: { container_name: 'one' } }
    expect(refused(projectOf(services))).toBe(
      'services.b.container_name: container name "one" is already in use by service a',
    )
  })

  test('422: a container name that another service has without saying so', () => {
    const services = { a: { container_name: 'shop-b-2' }, b: { scale: 2 } }
    expect(refused(projectOf(services))).toBe(
      'services.b: container name "shop-b-2" is already in use by service a',
    )
  })

  test('422: a cycle', () => {
    const a = { depends_on: { b: started } }
    const b = { depends_on: { a: started } }
    expect(refused(projectOf({ a, b }))).toBe('services: dependency cycle detected: a -> b -> a')
  })

  test('422: attributes that the Engine is too old for or that are not supported', () => {
    const check = { test: ['CMD', 'x'], start_period: '2s', start_interval: '1s' }
    expect(refused(projectOf({ web: { healthcheck: check } }))).toBe(
      'services.web.healthcheck.start_interval: needs an Engine with API 1.44, this one has 1.41',
    )
    expect(refused(projectOf({ web: { use_api_socket: true } }))).toBe(
      'services.web.use_api_socket: not supported',
    )
    expect(refused(projectOf({ web: { pull_policy: 'refresh' } }))).toBe(
      'services.web.pull_policy: refresh is not supported',
    )
  })

  test('422: a secret without a value, or contents for a read-only container', () => {
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
