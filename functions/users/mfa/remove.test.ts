import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { annaWorld, codeAt } from '../../../local/harness/second-factor.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import removeUser from '../remove.ts'
import remove from './remove.ts'

test('204: the password alone is enough, and the seed is forgotten; so also when it was off', async () => {
  const { ports, anna, attempt, enable } = await annaWorld()
  await enable()
  for (let times = 0; times < 2; times += 1) {
    expect((await call(remove, { ports, path: { id: anna.id }, as: 'admin' })).status).toBe(204)
    expect((await attempt()).status).toBe(200)
  }
  expect(await ports.secondFactors.list()).toEqual([])
})

test('204: what was being set up can no longer be switched on', async () => {
  const { ports, anna, begin, verify } = await annaWorld()
  const { secret } = (await begin()).json
  await call(remove, { ports, path: { id: anna.id }, as: 'admin' })
  expect((await verify(codeAt(secret, ports.clock.now()))).status).toBe(409)
})

test('204: a user who is deleted takes his second factor along', async () => {
  const { ports, anna, enable } = await annaWorld()
  await enable()
  expect((await call(removeUser, { ports, path: { id: anna.id }, as: 'admin' })).status).toBe(204)
  expect(await ports.secondFactors.list()).toEqual([])
})

test('403: one without the permission, one with more rights, or oneself', async () => {
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

test('404: there is no such user', async () => {
  expect((await call(remove, { path: { id: 'none' }, as: 'admin' })).status).toBe(404)
})
