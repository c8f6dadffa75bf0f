import { describe, expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import type { Project } from '../../project.ts'
import {
  deploy,
  deployed,
  lines,
  plainOptions,
  projectOf,
  started,
} from '../../testing/plan-samples.ts'
import { apply, observe, resolveAll, simulatedHost } from '../../testing/simulated-host.ts'
import type { SimulatedHost } from '../../testing/simulated-state.ts'
import { addWrite } from '../add-write.ts'
import { planText } from '../plan-text.ts'
import { planPrefetch } from './plan-fetches.ts'
import { checkRetags } from './retags.ts'

describe('images', () => {
  const project = projectOf({ web: { pull_policy: 'always' }, db: {} })

  test('plans pulls that decide on a replacement before everything else', () => {
    const host = deployed(projectOf({ web: {}, db: {} }))
    const first = planPrefetch(
      { project, resolved: resolveAll(host), options: plainOptions },
      observe(host),
      () => undefined,
    )
    expect(planText(first)).toBe(
      lines(`
      0 pull image web (pull always)
      `),
    )
    host.images.set('web', 'sha256:newer')
    const text = planText(deploy(host, project, { fetched: ['web'] }))
    expect(text).not.toContain('pull')
    expect(text).toContain('_shop-web-1 (image changed)')
  })

  test('the pull option overrides the pull_policy of services', () => {
    const host = deployed(project)
    expect(planText(deploy(host, project, { pull: 'never' }))).toBe('')
    expect(planText(deploy(host, project, { pull: 'always' }))).toBe(
      lines(`
      0 pull image db (pull always)
      1 pull image web (pull always)
      `),
    )
  })

  describe('images that get a name', () => {
    const source = `web@sha256:${'a'.repeat(64)}`
    const id = `sha256:${'b'.repeat(64)}`
    const prefetch = (host: SimulatedHost, project: Project, retag: Record<string, string>) => {
      const options = { ...plainOptions, retag }
      return planPrefetch(
        { project, resolved: resolveAll(host), options },
        observe(host),
        () => undefined,
      )
    }

    test('are tagged before everything else, and no other image is fetched', () => {
      const build = { context: '/srv/shop' }
      const services = { web: { platform: 'linux/amd64' }, db: {}, other: { build } }
      const host = deployed(projectOf(services))
      const project = projectOf({
        web: { pull_policy: 'never', platform: 'linux/amd64' },
        db: { pull_policy: 'always' },
        other: { build, pull_policy: 'build' },
      })
      const first = prefetch(host, project, { web: source, none: id, other: id })
      expect(planText(first)).toBe('0 tag image web (becomes sha256:aaaaaaaaaaaa)')
      expect(first.steps).toMatchObject([
        { source, platform: 'linux/amd64', imageChange: { before: 'sha256:web', after: source } },
      ])
      const options = { fetched: ['web'], retag: { web: source } }
      host.images.set('web', 'sha256:newer')
      const text = planText(deploy(host, project, options))
      expect(text).toContain('_shop-web-1 (image changed)')
      expect(text).not.toMatch(/tag|pull|build/)
    })

    test('are tagged before the containers of services that have none', () => {
      const host = simulatedHost(['db', 'web'])
      const text = planText(deploy(host, projectOf({ web: {}, db: {} }), { retag: { web: id } }))
      expect(text.split('\n').slice(0, 2)).toEqual([
        '0 tag image web (becomes sha256:bbbbbbbbbbbb)',
        '1 create network shop_default (no network) after 0',
      ])
    })

    test('are tagged once for each spelling, whichever is given', () => {
      const services = { one: 'nginx:1', two: 'docker.io/library/nginx:1', three: 'nginx:1' }
      const project = projectOf(
        Object.fromEntries(Object.entries(services).map(([name, image]) => [name, { image }])),
      )
      const host = simulatedHost(Object.values(services))
      apply(host, deploy(host, project))
      const { steps } = prefetch(host, project, { 'index.docker.io/nginx:1': id })
      expect(steps.map(({ name }) => name)).toEqual(['nginx:1', 'docker.io/library/nginx:1'])
    })

    test('are ignored for services that do not run, and for digests', () => {
      const project = projectOf({ web: { scale: 0 }, db: { image: source } })
      const host = simulatedHost(['web', source])
      apply(host, deploy(host, project))
      expect(prefetch(host, project, { web: id, [source]: id }).steps).toEqual([])
    })

    test('409: an image named by its ID that the host lacks', () => {
      const project = projectOf({ web: {}, db: {} })
      const host = deployed(project)
      const check = (retag: Record<string, string>) => () =>
        checkRetags(project, retag, resolveAll(host))
      expect(check({ web: source, none: id })).not.toThrow()
      expect(check({ web: id })).toThrow(
        expect.objectContaining({
          status: 409,
          message: expect.stringContaining(`services.web: image ${id}, which web is to name`),
        }),
      )
    })
  })

  test('builds a missing image after its dependencies, once for all services that use it', () => {
    const build = { context: '/srv/shop/app' }
    const shop = projectOf({
      app: { build, depends_on: { base: started } },
      base: { build, image: 'base:1' },
      copy: { image: 'app' },
    })
    const text = planText(deploy(simulatedHost([]), shop, { files: [{ path: 'a', mode: 420 }] }))
    expect(text.split('\n').slice(0, 4)).toEqual([
      '0 write files /srv/shop (files changed: a)',
      '1 build image base:1 (no image) after 0',
      '2 build image app (no image) after 0 1',
      '3 create network shop_default (no network) after 1 2',
    ])
    expect(text).toContain('create container shop-copy-1 (no container) after 2 3')
    const host = deployed(shop)
    expect(planText(deploy(host, shop))).toBe('')
  })

  test('pull_policy build builds on every deploy, before planning what depends on it', () => {
    const app = { build: { context: '/srv/shop' }, pull_policy: 'build' }
    const host = deployed(projectOf({ app, other: {} }))
    const evidence = {
      project: projectOf({ app, other: {} }),
      resolved: resolveAll(host),
      options: plainOptions,
    }
    const files = [{ path: 'a', mode: 420 }]
    const first = planPrefetch(evidence, observe(host), (plan) =>
      addWrite(plan, evidence.project, { files }),
    )
    expect(planText(first)).toBe(
      lines(`
      0 write files /srv/shop (files changed: a)
      1 build image app (pull_policy build) after 0
      `),
    )
    expect(planText(deploy(host, evidence.project, { fetched: ['app'] }))).toBe('')
    expect(planText(deploy(host, evidence.project, { pull: 'missing' }))).toBe('')
  })

  test('the build option overrides pull_policy, and names the file that changed', () => {
    const build = { context: '/srv/shop' }
    const app = { build, pull_policy: 'build' }
    const project = projectOf({
      app,
      other: { build },
      copy: { image: 'app' },
      off: { scale: 0, build },
    })
    const host = deployed(projectOf({ app, other: {}, copy: { image: 'app' } }))
    const first = (options: Partial<typeof plainOptions>) => {
      const evidence = {
        project,
        resolved: resolveAll(host),
        options: { ...plainOptions, ...options },
      }
      return planText(planPrefetch(evidence, observe(host), () => undefined))
    }
    expect(first({ build: 'missing' })).toBe('')
    expect(first({ build: 'always', pull: 'never', changedBuilds: { app: './src/x' } })).toBe(
      lines(`
      0 build image app (./src/x changed since its image was built)
      1 build image other (build always)
      `),
    )
  })

  test.each([
    ['daily', 86_400_000],
    ['weekly', 604_800_000],
    ['every_1h30m', 5_400_000],
  ])('%s pulls an image again once it is older', (pull_policy, age) => {
    const host = deployed(projectOf({ web: {} }))
    const project = projectOf({ web: { pull_policy } })
    const resolved = resolveAll(host)
    present(resolved.images.web).taggedAt = 1000
    const steps = (now: number) => {
      const evidence = { project, resolved, options: { ...plainOptions, now } }
      return planPrefetch(evidence, observe(host), () => undefined).steps
    }
    expect(steps(1000 + age)).toEqual([])
    expect(steps(1001 + age)).toMatchObject([
      { action: 'pull', name: 'web', reason: `pull ${pull_policy}`, stamp: true },
    ])
  })
})
