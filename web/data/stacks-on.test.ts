import { expect, test } from 'vitest'
import { asHostId } from '../host-ids.ts'
import { stacksOn } from './stacks-on.ts'

const nas = asHostId('01a22033')

test('stacks are on the host whose id they have', () => {
  const stacks = [
    { name: 'media', host: nas },
    { name: 'shop', host: asHostId('local') },
    { name: 'photos', host: nas },
  ]
  expect(stacksOn(nas, stacks)).toEqual(['media', 'photos'])
})

test('there are none while they are loading', () => {
  expect(stacksOn(nas, undefined)).toEqual([])
})
