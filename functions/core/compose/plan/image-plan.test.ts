import { describe, expect, test } from 'vitest'
import { pullsFirst } from './image-plan.ts'
import { deploy, deployed, lines, plainOptions, projectOf } from './plan-samples.ts'
import { planText } from './plan-text.ts'
import { observe, resolveAll } from './simulated-host.ts'

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
