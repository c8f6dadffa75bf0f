import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import list from './list.ts'

test('200: lists all users by name, without secrets', async () => {
  const ports = memoryPorts()
  for (const username of ['Zoe', 'anna', 'Bert']) {
    await accountOf(ports, { username, passwordHash: 'hidden' })
  }
  const { json, text } = await call(list, { ports, as: 'admin' })
  const names = json.map((user: { username: string }) => user.username)
  expect(names).toEqual(['admin', 'anna', 'Bert', 'Zoe'])
  expect(text).not.toContain('hidden')
})

test('200: after: reads on from a name in any case', async () => {
  const ports = memoryPorts()
  for (const username of ['Zoe', 'anna', 'Bert']) await accountOf(ports, { username })
  for (const after of ['Bert', 'bert', 'BERT']) {
    const { json } = await call(list, { ports, as: 'admin', query: { after } })
    expect(json.map((user: { username: string }) => user.username)).toEqual(['Zoe'])
  }
})

test('200: returns at most 500 users and reports the truncation', async () => {
  const ports = memoryPorts()
  for (let index = 0; index < 500; index += 1) {
    await ports.accounts.create({ ...(await accountOf(ports, 'admin')), ...numbered(index) })
  }
  const { json, headers } = await call(list, { ports, as: 'admin' })
  expect(json).toHaveLength(500)
  expect(headers['x-result-truncated']).toBe('true')
})

const numbered = (index: number) => ({ id: `user-${index}`, username: `user-${index}` })
