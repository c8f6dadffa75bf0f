import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { permissions } from '../records/permissions.ts'
import { permissionsOf } from './role.ts'

const ports = memoryPorts()
const allowed = (role: string) => permissionsOf(role, ports)

test('an admin has every permission', async () => {
  expect([...(await allowed('admin'))]).toEqual([...permissions])
})

test('an operator can run stacks and containers but cannot manage users, hosts or settings', async () => {
  const operator = await allowed('operator')
  for (const allowed of ['stacks:deploy', 'containers:exec', 'images:pull', 'hosts:read']) {
    expect(operator.has(allowed)).toBe(true)
  }
  for (const refused of ['users:manage', 'hosts:manage', 'settings:manage', 'stacks:privileged']) {
    expect(operator.has(refused)).toBe(false)
  }
})

test('a viewer can read and sees no secrets', async () => {
  const beyond = [...(await allowed('viewer'))].filter((name) => !name.endsWith(':read'))
  expect(beyond).toEqual([])
})

test('an unknown role has no permissions', async () => {
  for (const role of ['', 'root', 'constructor', '__proto__', 'Admin']) {
    expect((await allowed(role)).size).toBe(0)
  }
})
