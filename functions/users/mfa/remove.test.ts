import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { passkeyWorld } from '../../../local/harness/passkeys.ts'
import { annaWorld, codeAt } from '../../../local/harness/second-factor.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import me from '../../me/get.ts'
import getUser from '../get.ts'
import removeUser from '../remove.ts'
import remove from './remove.ts'

test('204: removes the second factor, if any, and the seed; the password is enough again', async () => {
  const { ports, anna, attempt, enable } = await annaWorld()
  await enable()
  for (let times = 0; times < 2; times += 1) {
    expect((await call(remove, { ports, path: { id: anna.id }, as: 'admin' })).status).toBe(204)
    expect((await attempt()).status).toBe(200)
  }
  expect(await ports.secondFactors.list()).toEqual([])
})

test('204: ends the sessions and API tokens of a user who had one', async () => {
  const { ports, anna, token, enable } = await annaWorld()
  const as = { token }
  const made = (await call(createToken, { ports, body: { name: 'ci' }, as })).json
  const use = () =>
    Promise.all(
      [token, made.token].map(
        async (one) => (await call(me, { ports, as: { token: one } })).status,
      ),
    )
  const path = { id: anna.id }
  ports.clock.advance(1000)
  await call(remove, { ports, path, as: 'admin' })
  expect(await use()).toEqual([200, 200])
  await enable()
  ports.clock.advance(1000)
  await call(remove, { ports, path, as: 'admin' })
  expect(await use()).toEqual([401, 401])
  expect(await ports.apiTokens.list()).toEqual([])
})

test('204: cancels a setup in progress', async () => {
  const { ports, anna, begin, verify } = await annaWorld()
  const { secret } = (await begin()).json
  await call(remove, { ports, path: { id: anna.id }, as: 'admin' })
  expect((await verify(codeAt(secret, ports.clock.now()))).status).toBe(409)
})

test('204: deleting a user deletes the second factor', async () => {
  const { ports, anna, enable } = await annaWorld()
  await enable()
  expect((await call(removeUser, { ports, path: { id: anna.id }, as: 'admin' })).status).toBe(204)
  expect(await ports.secondFactors.list()).toEqual([])
})

test('204: deletes the passkeys, and ends the sessions of a user who had one', async () => {
  const { ports, anna, token, add, signInWith, attempt } = await passkeyWorld()
  const { device } = await add()
  const hasPasskeys = async () =>
    (await call(getUser, { ports, path: { id: anna.id }, as: 'admin' })).json.has_passkeys
  expect(await hasPasskeys()).toBe(true)
  ports.clock.advance(1000)
  expect((await call(remove, { ports, path: { id: anna.id }, as: 'admin' })).status).toBe(204)
  expect((await signInWith(device)).status).toBe(401)
  expect((await call(me, { ports, as: { token } })).status).toBe(401)
  expect((await attempt()).status).toBe(200)
  expect([await ports.passkeys.list(), await hasPasskeys()]).toEqual([[], false])
})

test('204: deleting a user deletes the passkeys', async () => {
  const { ports, anna, add, signInWith } = await passkeyWorld()
  const { device } = await add()
  expect((await call(removeUser, { ports, path: { id: anna.id }, as: 'admin' })).status).toBe(204)
  expect((await signInWith(device)).status).toBe(401)
  expect(await ports.passkeys.list()).toEqual([])
})

test('403: no permission, a user with more rights, or the caller’s own account', async () => {
  const { ports, anna, attempt, enable } = await annaWorld()
  await enable()
  const path = { id: anna.id }
  expect((await call(remove, { ports, path, as: 'operator' })).status).toBe(403)
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ports, path, as: limited })).status).toBe(403)
  const own = { id: (await accountOf(ports, 'admin')).id }
  expect((await call(remove, { ports, path: own, as: 'admin' })).status).toBe(403)
  expect((await attempt()).status).toBe(401)
})
