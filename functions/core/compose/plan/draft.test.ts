import { expect, test } from 'vitest'
import { add, type Plan, stepsMax } from './draft.ts'

test('422: a plan has a limited number of steps', () => {
  const plan: Plan = { steps: [], warnings: [] }
  const one = () => add(plan, { reason: 'x' }, { action: 'start', kind: 'container', name: 'x' })
  for (let index = 0; index < stepsMax; index += 1) expect(one()).toBe(index)
  expect(one).toThrow(expect.objectContaining({ status: 422 }))
})
