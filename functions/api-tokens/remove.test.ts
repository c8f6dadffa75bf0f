import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import type { As } from '../../local/harness/sign-in.ts'
import me from '../me/get.ts'
import create from './create.ts'
import remove from './remove.ts'

async function world() {
  const ports = memoryPorts()
  const make = async (as: As) => (await call(create, { ports, body: { name: 'ci' }, as })).json
  const revoke = async (id: string, as: As) =>
    (await call(remove, { ports, path: { id }, as })).status
  const use = async (token: string) => (await call(me, { ports, as: { token } })).status
  return { make, revoke, use }
}

test('204: the token is worth nothing from now on', async () => {
  const { make, revoke, use } = await world()
  const mine = await make('operator')
  expect(await revoke(mine.id, 'operator')).toBe(204)
  expect(await use(mine.token)).toBe(401)
})

test('204: an admin revokes anybody’s, a token itself', async () => {
  const { make, revoke, use } = await world()
  const his = await make('viewer')
  expect(await revoke(his.id, 'admin')).toBe(204)
  const own = await make('viewer')
  expect(await revoke(own.id, own)).toBe(204)
  expect([await use(his.token), await use(own.token)]).toEqual([401, 401])
})

test('401: nobody is signed in', async () => {
  expect((await call(remove, { path: { id: 'any' } })).status).toBe(401)
})

test('403: a token revokes no other', async () => {
  const { make, revoke, use } = await world()
  const [one, other] = [await make('viewer'), await make('viewer')]
  expect(await revoke(other.id, one)).toBe(403)
  expect(await use(other.token)).toBe(200)
})

test('403: an admin of some hosts and a token of somebody who reaches all', async () => {
  const { make, revoke, use } = await world()
  const his = await make('operator')
  const lab = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect(await revoke(his.id, lab)).toBe(403)
  expect(await use(his.token)).toBe(200)
})

test('404: there is none, or it is of somebody else', async () => {
  const { make, revoke, use } = await world()
  const his = await make('viewer')
  expect(await revoke('none', 'operator')).toBe(404)
  expect(await revoke(his.id, 'operator')).toBe(404)
  expect(await use(his.token)).toBe(200)
})
