import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
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

test('200: users see their own tokens, admins see all, and no secret is shown', async () => {
  const { ports, make, names } = await world()
  const token = await make('mine', 'operator')
  await make('his', 'viewer')
  expect(await names('operator')).toEqual(['mine'])
  expect(await names('admin')).toEqual(['his', 'mine'])
  const { text } = await call(list, { ports, as: 'admin' })
  expect(text).not.toContain(token)
  expect(text).not.toMatch(/hash/i)
})

test('200: updates the last use at most once a minute', async () => {
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

test('200: a user and a name choose, and show no one else the tokens of others', async () => {
  const { ports, make } = await world()
  await make('ci', 'operator')
  await make('ci', 'viewer')
  await make('more', 'viewer')
  const ids = new Map((await ports.accounts.list()).map(({ username, id }) => [username, id]))
  const ask = async (as: 'admin' | 'operator', query: Record<string, string>) =>
    (await call(list, { ports, as, query })).json.map(
      ({ name, username }: { name: string; username: string }) => `${username}/${name}`,
    )
  const viewer = { user_id: ids.get('viewer') ?? '' }
  expect(await ask('admin', viewer)).toEqual(['viewer/ci', 'viewer/more'])
  expect((await ask('admin', { name: 'ci' })).sort()).toEqual(['operator/ci', 'viewer/ci'])
  expect(await ask('admin', { ...viewer, name: 'ci' })).toEqual(['viewer/ci'])
  expect(await ask('admin', { user_id: 'none' })).toEqual([])
  expect(await ask('operator', viewer)).toEqual([])
  expect(await ask('operator', { name: 'more' })).toEqual([])
})
