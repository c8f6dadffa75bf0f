import { expect, test } from 'vitest'
import { asHostId, asHostName } from './host-ids.ts'

test('the comparison of an id with a name does not compile', () => {
  // @ts-expect-error an id is never a name
  expect(asHostId('nas') === asHostName('attic')).toBe(false)
})
