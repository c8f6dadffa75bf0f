import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { permissions } from '../core/records/permissions.ts'
import list from './list.ts'

test('200: lists built-in and custom roles by name', async () => {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'deployer', permissions: ['stacks:deploy'], createdAt: 0 })
  const { json } = await call(list, { ports, as: 'admin' })
  expect(json.map(({ name, builtin }: Json) => [name, builtin])).toEqual([
    ['admin', true],
    ['deployer', false],
    ['operator', true],
    ['viewer', true],
  ])
  expect(json[0].permissions).toEqual(permissions)
  expect(json[1].permissions).toEqual(['stacks:deploy'])
})
