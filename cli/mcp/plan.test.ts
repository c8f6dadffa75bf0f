import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { digestOf, type Plan } from './plan.ts'
import { tools } from './tool.ts'

const tool = present(tools.find(({ name }) => name === 'stacks_restart'))
const row = { action: 'restart', kind: 'container', name: 'shop-web-1', reason: 'it is running' }
const plan: Plan = { rows: [row], pinned: {}, state: ['a'] }
const given = { name: 'shop', services: ['web'] }

test('the same call and plan have the same digest, whatever the order of the fields', () => {
  const other = { services: ['web'], name: 'shop' }
  expect(digestOf(tool, other, plan)).toBe(digestOf(tool, given, plan))
  expect(digestOf(tool, given, plan)).toMatch(/^[0-9a-f]{64}$/)
})

test('another argument, row, state or tool has another digest', () => {
  const stop = present(tools.find(({ name }) => name === 'stacks_stop'))
  const digests = [
    digestOf(tool, given, plan),
    digestOf(tool, { ...given, services: ['db'] }, plan),
    digestOf(tool, given, { ...plan, rows: [{ ...row, reason: 'it is paused' }] }),
    digestOf(tool, given, { ...plan, pinned: { revision: 2 } }),
    digestOf(tool, given, { ...plan, state: ['b'] }),
    digestOf(stop, given, plan),
  ]
  expect(new Set(digests).size).toBe(digests.length)
})
