import { expect, test } from 'vitest'
import { type PulledLayer, withChanges } from './pulled-layers.ts'

const layer = (id: string, state: PulledLayer['state']): PulledLayer => ({
  id,
  state,
  current: null,
  total: null,
})

test('layers keep their place while they change', () => {
  const first = withChanges([], [layer('a', 'waiting'), layer('b', 'waiting')])
  const second = withChanges(first, [layer('c', 'exists'), layer('a', 'done')])
  expect(second.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'a done',
    'b waiting',
    'c exists',
  ])
  expect(first).toHaveLength(2)
})
