import { expect, test } from 'vitest'
import { addStep, type Plan, stepsMax } from './plan-steps.ts'

test('422: limits the number of steps in a plan', () => {
  const plan: Plan = { steps: [], warnings: [] }
  const one = () =>
    addStep(plan, { reason: 'x' }, { action: 'start', kind: 'container', name: 'x' })
  for (let index = 0; index < stepsMax; index += 1) expect(one()).toBe(index)
  expect(one).toThrow(expect.objectContaining({ status: 422 }))
})
