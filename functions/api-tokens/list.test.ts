import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import me from '../me/get.ts'
import create from './create.ts'
import list from './list.ts'

async function world() {
  const ports = memoryPorts()
  const make = async (name: string, as: 'admin' | 'operator' | 'viewer') =>
    (await call(create, { ports, body: { name }, as })).json.token
  const names = async (as: 'admin' | 'operator') =>
    (await call(list, { ports, as })).json.map((token: { name: string }) => token.name)
  return { ports, make, names }
}

test('200: everybody sees his own, an admin all, nobody the tokens themselves', async () => {
  const { ports, make, names } = await world()
  const token = await make('mine', 'operator')
  await make('his', 'viewer')
  expect(await names('operator')).toEqual(['mine'])
  expect(await names('admin')).toEqual(['his', 'mine'])
  const { text } = await call(list, { ports, as: 'admin' })
  expect(text).not.toContain(token)
  expect(text).not.toMatch(/hash/i)
})

test('200: the last use, once a minute', async () => {
  const { ports, make } = await world()
  const as = { token: await make('mine', 'operator') }
  const lastUse = async () => (await call(list, { ports, as: 'operator' })).json[0].last_used_at
  expect(await lastUse()).toBe(null)
  const first = new Date(ports.clock.now()).toISOString()
  await call(me, { ports, as })
  ports.clock.advance(59_999)
  await call(me, { ports, as })
  expect(await lastUse()).toBe(first)
  ports.clock.advance(1)
  await call(me, { ports, as })
  expect(await lastUse()).toBe(new Date(ports.clock.now()).toISOString())
})

test('401: nobody is signed in', async () => {
  expect((await call(list)).status).toBe(401)
})
