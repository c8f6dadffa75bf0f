import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { builtinRoles } from '../core/records/permissions.ts'
import get from './get.ts'
import list from './list.ts'

async function world() {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'deployer', permissions: ['stacks:deploy'], createdAt: 0 })
  return { ports, ask: (name: string) => call(get, { ports, as: 'admin', path: { name } }) }
}

test('200: returns a built-in or custom role as the list does', async () => {
  const { ports, ask } = await world()
  const listed = (await call(list, { ports, as: 'admin' })).json
  const names = [...Object.keys(builtinRoles), 'deployer'].sort()
  expect(await Promise.all(names.map(async (name) => (await ask(name)).json))).toEqual(listed)
})

test('404: unknown role, such as one that is a property of every object', async () => {
  const { ask } = await world()
  for (const name of ['none', 'Admin', 'constructor', '__proto__']) {
    const { status, json } = await ask(name)
    expect([status, json.error]).toEqual([404, `there is no role ${name}`])
  }
})
