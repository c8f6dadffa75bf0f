import { expect, test } from 'vitest'
import { besideNotices } from './beside-notices.ts'

test('a warning that a page has above its tabs is not repeated below them', () => {
  const stack = { warnings: ['web: the image was built from other files'] }
  const ofPlan = [{ reason: 'web: the image was built from other files' }, { reason: 'no overlay' }]
  expect(besideNotices(ofPlan, stack, ({ reason }) => reason)).toEqual([{ reason: 'no overlay' }])
  expect(besideNotices(ofPlan, { warnings: [] }, ({ reason }) => reason)).toEqual(ofPlan)
})
