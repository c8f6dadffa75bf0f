import { describe, expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import {
  deploy,
  deployed,
  lines,
  plainOptions,
  projectOf,
  started,
} from '../../testing/plan-samples.ts'
import { observe, resolveAll, simulatedHost } from '../../testing/simulated-host.ts'
import { addWrite } from '../add-write.ts'
import { planText } from '../plan-text.ts'
import { planPrefetch } from './plan-fetches.ts'

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
