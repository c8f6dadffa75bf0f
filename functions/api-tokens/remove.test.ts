import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import me from '../me/get.ts'
import create from './create.ts'
import remove from './remove.ts'

async function world() {
  const ports = memoryPorts()
  const make = async (as: TestCaller) =>
    (await call(create, { ports, body: { name: 'ci' }, as })).json
  const revoke = async (id: string, as: TestCaller) =>
    (await call(remove, { ports, path: { id }, as })).status
  const use = async (token: string) => (await call(me, { ports, as: { token } })).status
  return { make, revoke, use }
}

test('204: a revoked token stops working at once', async () => {
  const { make, revoke, use } = await world()
  const mine = await make('operator')
  expect(await revoke(mine.id, 'operator')).toBe(204)
  expect(await use(mine.token)).toBe(401)
})

test('204: an admin can revoke any token, and a token can revoke itself', async () => {
  const { make, revoke, use } = await world()
  const his = await make('viewer')
  expect(await revoke(his.id, 'admin')).toBe(204)
  const own = await make('viewer')
  expect(await revoke(own.id, own)).toBe(204)
  expect([await use(his.token), await use(own.token)]).toEqual([401, 401])
})

test('403: a token cannot revoke another token', async () => {
  const { make, revoke, use } = await world()
  const [one, other] = [await make('viewer'), await make('viewer')]
  expect(await revoke(other.id, one)).toBe(403)
  expect(await use(other.token)).toBe(200)
})

test('403: an admin of some hosts cannot revoke the token of an unscoped user', async () => {
  const { make, revoke, use } = await world()
  const his = await make('operator')
  const lab = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect(await revoke(his.id, lab)).toBe(403)
  expect(await use(his.token)).toBe(200)
})

test('404: unknown token, or the token of another user', async () => {
  const { make, revoke, use } = await world()
  const his = await make('viewer')
  expect(await revoke('none', 'operator')).toBe(404)
  expect(await revoke(his.id, 'operator')).toBe(404)
  expect(await use(his.token)).toBe(200)
})
