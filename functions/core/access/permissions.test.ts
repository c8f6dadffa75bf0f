import { expect, test } from 'vitest'
import { permissions, permissionsOf } from './permissions.ts'

test('an admin may do everything', () => {
  expect([...permissionsOf('admin')]).toEqual([...permissions])
})

test('an operator runs things and manages neither users nor hosts nor settings', () => {
  const operator = permissionsOf('operator')
  for (const allowed of ['stacks:deploy', 'containers:exec', 'images:pull', 'hosts:read']) {
    expect(operator.has(allowed)).toBe(true)
  }
  for (const refused of ['users:manage', 'hosts:manage', 'settings:manage', 'stacks:privileged']) {
    expect(operator.has(refused)).toBe(false)
  }
})

test('a viewer reads, and sees no secrets', () => {
  const beyond = [...permissionsOf('viewer')].filter((name) => !name.endsWith(':read'))
  expect(beyond).toEqual([])
})

test('a role that is none allows nothing', () => {
  for (const role of ['', 'root', 'constructor', '__proto__', 'Admin']) {
    expect(permissionsOf(role).size).toBe(0)
  }
})
