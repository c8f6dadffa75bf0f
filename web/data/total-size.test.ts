import { expect, test } from 'vitest'
import { asHostId } from '../host-ids.ts'
import { totalOf } from './total-size.ts'

const volume = (name: string) => ({ name, host_id: asHostId('local') })
const sizes: Record<string, number | null> = { films: 2000, empty: 0, share: null }
const sizeOf = ({ name }: { name: string }) => sizes[name]

test('adds up the sizes that are known, and counts the others', () => {
  expect(totalOf([], sizeOf)).toEqual({ bytes: 0, unknown: 0 })
  expect(totalOf(['films', 'empty'].map(volume), sizeOf)).toEqual({ bytes: 2000, unknown: 0 })
  const all = ['films', 'share', 'new'].map(volume)
  expect(totalOf(all, sizeOf)).toEqual({ bytes: 2000, unknown: 2 })
})
