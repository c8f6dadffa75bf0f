import { describe, expect, test } from 'vitest'
import { fetchesFirst } from './image-plan.ts'
import { planFiles } from './plan.ts'
import { deploy, deployed, lines, plainOptions, projectOf, started } from './plan-samples.ts'
import { planText } from './plan-text.ts'
import { observe, resolveAll, simulatedHost } from './simulated-host.ts'

describe('images', () => {
  const project = projectOf({ web: { pull_policy: 'always' }, db: {} })

  test('pulls on which a replacement depends come before the plan', () => {
    const host = deployed(projectOf({ web: {}, db: {} }))
    const first = fetchesFirst(
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

  test('an option wins over what services say', () => {
    const host = deployed(project)
    expect(planText(deploy(host, project, { pull: 'never' }))).toBe('')
    expect(planText(deploy(host, project, { pull: 'always' }))).toBe(
      lines(`
      0 pull image db (pull always)
      1 pull image web (pull always)
      `),
    )
  })

  test('what is not there is built, after what it depends on, and shared by who uses it', () => {
    const build = { context: '/srv/shop/app' }
    const shop = projectOf({
      app: { build, depends_on: { base: started } },
      base: { build, image: 'base:1' },
      copy: { image: 'app' },
    })
    const text = planText(deploy(simulatedHost([]), shop, { files: [{ path: 'a', mode: 420 }] }))
    expect(text.split('\n').slice(0, 4)).toEqual([
      '0 write files /srv/shop (files changed)',
      '1 build image base:1 (no image) after 0',
      '2 build image app (no image) after 0 1',
      '3 create network shop_default (no network)',
    ])
    expect(text).toContain('create container shop-copy-1 (no container) after 2 3')
    const host = deployed(shop)
    expect(planText(deploy(host, shop))).toBe('')
  })

  test('pull_policy build builds at every deploy, before anything that depends on it is planned', () => {
    const app = { build: { context: '/srv/shop' }, pull_policy: 'build' }
    const host = deployed(projectOf({ app, other: {} }))
    const evidence = {
      project: projectOf({ app, other: {} }),
      resolved: resolveAll(host),
      options: plainOptions,
    }
    const files = [{ path: 'a', mode: 420 }]
    const first = fetchesFirst(evidence, observe(host), (plan) =>
      planFiles(plan, evidence.project, { files }),
    )
    expect(planText(first)).toBe(
      lines(`
      0 write files /srv/shop (files changed)
      1 build image app (pull_policy build) after 0
      `),
    )
    expect(planText(deploy(host, evidence.project, { fetched: ['app'] }))).toBe('')
    expect(planText(deploy(host, evidence.project, { pull: 'missing' }))).toBe('')
  })

  test.each([
    ['daily', 86_400_000],
    ['weekly', 604_800_000],
    ['every_1h30m', 5_400_000],
  ])('%s pulls again when the image is older', (pull_policy, age) => {
    const host = deployed(projectOf({ web: {} }))
    const project = projectOf({ web: { pull_policy } })
    const resolved = resolveAll(host)
    resolved.images.web!.taggedAt = 1000
    const steps = (now: number) => {
      const evidence = { project, resolved, options: { ...plainOptions, now } }
      return fetchesFirst(evidence, observe(host), () => undefined).steps
    }
    expect(steps(1000 + age)).toEqual([])
    expect(steps(1001 + age)).toMatchObject([
      { action: 'pull', name: 'web', reason: `pull ${pull_policy}`, stamp: true },
    ])
  })
})
