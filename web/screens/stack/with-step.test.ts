import { expect, test } from 'vitest'
import type { Deployment } from '../../data/stack-operations.ts'
import { withStep } from './with-step.ts'

const step = { action: 'pull', kind: 'image', name: 'web', reason: 'pull', error: null, ms: null }
const deployment = {
  id: 'd1',
  steps: [
    { ...step, status: 'running' },
    { ...step, status: 'pending' },
  ],
} as unknown as Deployment
const event = (details: Record<string, string | number>, kind = 'stack.deploy.step') => ({
  id: 'e',
  kind,
  host_id: null,
  subject: null,
  details: { deployment_id: 'd1', ...details },
})

test('an event of a step moves that step alone', () => {
  const next = withStep(deployment, event({ step: 0, status: 'done', ms: 120 }))
  expect(next.steps[0]).toMatchObject({ status: 'done', ms: 120 })
  expect(next.steps[1]).toBe(deployment.steps[1])
})

test.each([
  ['of another deployment', event({ step: 0, status: 'done', deployment_id: 'd2' })],
  ['of another kind', event({ step: 0, status: 'done' }, 'stack.deploy.ended')],
  ['of a step that is not known', event({ step: 7, status: 'done' })],
  ['that is older than the step', event({ step: 0, status: 'pending' })],
])('an event %s changes nothing', (_, other) => {
  expect(withStep(deployment, other)).toBe(deployment)
})
