import { expect, test } from 'vitest'
import { isFixed } from './is-fixed.ts'

test('no account changes a container of the service, unless only a label made it one', () => {
  const added = { 'container-stacks.installation': '' }
  expect(isFixed({ owner: 'installation', labels: {} })).toBe(true)
  expect(isFixed({ owner: 'installation', labels: added })).toBe(false)
  expect(isFixed({ owner: 'stack', labels: added })).toBe(false)
  expect(isFixed({ owner: 'foreign', labels: {} })).toBe(false)
})
