import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { call } from '../../../local/harness/call.ts'
import { passkeyWorld } from '../../../local/harness/passkeys.ts'
import { annaWorld } from '../../../local/harness/second-factor.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import me from '../../me/get.ts'
import { resetPassword } from './reset-password.ts'

test('the new password is the only one, also while the account was locked', async () => {
  const { ports, token, attempt } = await annaWorld()
  const made = (await call(createToken, { ports, body: { name: 'ci' }, as: { token } })).json
  for (let tries = 0; tries < 5; tries += 1) await attempt({ password: 'a guess' })
  expect((await attempt()).status).toBe(423)
  ports.clock.advance(1000)
  const passwordHash = await ports.passwords.hash('another battery')
  await resetPassword({ username: 'ANNA', passwordHash, removesSecondFactor: false }, ports)
  for (const one of [token, made.token])
    expect((await call(me, { ports, as: { token: one } })).status).toBe(401)
  expect((await attempt()).status).toBe(401)
  expect((await attempt({ password: 'another battery' })).status).toBe(200)
})

test('the second factor stays unless it was lost, too', async () => {
  const { ports, attempt, enable } = await annaWorld()
  await enable()
  const passwordHash = await ports.passwords.hash('another battery')
  const reset = (removesSecondFactor: boolean) =>
    resetPassword({ username: 'anna', passwordHash, removesSecondFactor }, ports)
  await reset(false)
  const withoutCode = () => attempt({ password: 'another battery' })
  expect((await withoutCode()).headers['www-authenticate']).toBe('TOTP')
  await reset(true)
  expect((await withoutCode()).status).toBe(200)
  expect(await ports.secondFactors.list()).toEqual([])
})

test('passkeys are deleted, as they sign in without the password', async () => {
  const { ports, add, signInWith } = await passkeyWorld()
  const { device } = await add()
  ports.clock.advance(1000)
  const passwordHash = await ports.passwords.hash('another battery')
  await resetPassword({ username: 'anna', passwordHash, removesSecondFactor: false }, ports)
  expect((await signInWith(device)).status).toBe(401)
  expect(await ports.passkeys.list()).toEqual([])
})

test('404 and 409: no such user, and one without a password', async () => {
  const ports = memoryPorts()
  const identity = { issuer: 'https://accounts.example.org', subject: '1' }
  await accountOf(ports, { username: 'bob', identity })
  const reset = (username: string) =>
    resetPassword({ username, passwordHash: 'x', removesSecondFactor: false }, ports)
  await expect(reset('stranger')).rejects.toMatchObject({
    status: 404,
    message: 'there is no user stranger',
  })
  await expect(reset('bob')).rejects.toMatchObject({ status: 409 })
})
