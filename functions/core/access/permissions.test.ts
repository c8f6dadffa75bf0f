import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/memory/stores.ts'
import { permissions } from './permissions.ts'
import { permissionsOf } from './role.ts'

const ports = memoryPorts()
const allowed = (role: string) => permissionsOf(role, ports)

test('an admin may do everything', async () => {
  expect([...(await allowed('admin'))]).toEqual([...permissions])
})

test('an operator runs things and manages neither users nor hosts nor settings', async () => {
  const operator = await allowed('operator')
  for (const allowed of ['stacks:deploy', 'containers:exec', 'images:pull', 'hosts:read']) {
    expect(operator.has(allowed)).toBe(true)
  }
  for (const refused of ['users:manage', 'hosts:manage', 'settings:manage', 'stacks:privileged']) {
    expect(operator.has(refused)).toBe(false)
  }
})

test('a viewer reads, and sees no secrets', async () => {
  const beyond = [...(await allowed('viewer'))].filter((name) => !name.endsWith(':read'))
  expect(beyond).toEqual([])
})

test('a role that is none allows nothing', async () => {
  for (const role of ['', 'root', 'constructor', '__proto__', 'Admin']) {
    expect((await allowed(role)).size).toBe(0)
  }
})
