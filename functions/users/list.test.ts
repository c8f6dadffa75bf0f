import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import list from './list.ts'

test('200: all users by name, without anything secret', async () => {
  const ports = memoryPorts()
  for (const username of ['Zoe', 'anna', 'Bert']) {
    await accountOf(ports, { username, passwordHash: 'hidden' })
  }
  const { json, text } = await call(list, { ports, as: 'admin' })
  const names = json.map((user: { username: string }) => user.username)
  expect(names).toEqual(['admin', 'anna', 'Bert', 'Zoe'])
  expect(text).not.toContain('hidden')
})

test('200: more than 500 are cut, and the answer says so', async () => {
  const ports = memoryPorts()
  for (let index = 0; index < 500; index += 1) {
    await ports.accounts.create({ ...(await accountOf(ports, 'admin')), ...numbered(index) })
  }
  const { json, headers } = await call(list, { ports, as: 'admin' })
  expect(json).toHaveLength(500)
  expect(headers['x-result-truncated']).toBe('true')
})

test('401: nobody is signed in', async () => {
  expect((await call(list)).status).toBe(401)
})

test('403: the roles that manage no users', async () => {
  for (const as of ['operator', 'viewer'] as const) {
    expect((await call(list, { as })).status).toBe(403)
  }
})

const numbered = (index: number) => ({ id: `user-${index}`, username: `user-${index}` })
