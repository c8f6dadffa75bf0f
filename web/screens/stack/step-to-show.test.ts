import { expect, test } from 'vitest'
import type { Deployment } from '../../data/stack-operations.ts'
import { stepToShow } from './step-to-show.ts'

type Step = Deployment['steps'][number]

test.each([
  ['done failed skipped', 1],
  ['done running pending', 1],
  ['done pending', 1],
  ['done skipped', 1],
  ['done done', 1],
  ['running running', 0],
])('of %s the step %i is shown', (statuses, at) => {
  const steps = statuses.split(' ').map((status, index) => ({ status, index }) as unknown as Step)
  expect(stepToShow(steps)).toBe(steps[at])
})
