import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Deviation } from '../../adapters/testing/software-authenticator.ts'
import { call } from '../../local/harness/call.ts'
import { givenPasskey, passkeyWorld } from '../../local/harness/passkeys.ts'
import { challengeLifetime } from '../core/access/passkey-challenge.ts'
import login from './login.ts'

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** Returns a world in which Anna has a passkey and a second factor. */
async function world() {
  const anna = await passkeyWorld()
  const { device } = await anna.add()
  const factor = await anna.enable()
  const logIn = async (deviation: Deviation = {}, more: object = {}) =>
    anna.attempt({ passkey: device.get(await anna.challenge(), deviation), ...more })
  return { ...anna, device, factor, logIn }
}

test('200: accepts a passkey instead of a code, and codes as before', async () => {
  const { logIn, attempt, factor } = await world()
  expect((await logIn()).status).toBe(200)
  expect((await attempt({ totp_code: factor.code() })).status).toBe(200)
  expect((await attempt({ totp_code: factor.recovery[0] })).status).toBe(200)
})

test('200: a passkey alone does not turn the second factor on', async () => {
  const { add, attempt } = await passkeyWorld()
  await add()
  expect((await attempt()).status).toBe(200)
})

test('401: still asks for a code first, with the same answer', async () => {
  const { attempt } = await world()
  const asked = await attempt()
  expect(asked).toMatchObject({ status: 401, json: { error: 'TOTP code required' } })
  expect(asked.headers['www-authenticate']).toBe('TOTP')
})

test('401: a wrong password and a wrong passkey get the same answer', async () => {
  const { logIn } = await world()
  const answers = [await logIn({}, { password: 'a guess' }), await logIn({ key: other })]
  for (const { status, json } of answers) {
    expect([status, json.error]).toEqual([
      401,
      'the user name, the password or the passkey is wrong',
    ])
  }
  expect((await logIn()).status).toBe(200)
})

test('401: the passkey of another account', async () => {
  const { ports, attempt, challenge } = await world()
  const { device } = await givenPasskey(ports, { username: 'bob' })
  expect((await attempt({ passkey: device.get(await challenge()) })).status).toBe(401)
})

test('401: a challenge that was used or has expired', async () => {
  const { ports, device, attempt, challenge } = await world()
  const passkey = device.get(await challenge())
  expect((await attempt({ passkey })).status).toBe(200)
  expect((await attempt({ passkey })).status).toBe(401)
  const late = device.get(await challenge())
  ports.clock.advance(challengeLifetime)
  const { status, json } = await attempt({ passkey: late })
  expect([status, json.error]).toEqual([401, expect.stringContaining('start again')])
})

test('409: the address of the service allows no passkeys', async () => {
  const { ports, device, password, challenge } = await world()
  const passkey = device.get(await challenge())
  ports.site.baseUrl = 'http://stacks.example.org'
  const body = { username: 'anna', password, passkey }
  const { status, json } = await call(login, { ports, body })
  expect([status, json.error]).toEqual([409, expect.stringContaining('SERVICE_BASE_URL')])
})

test('423: counts wrong passkeys with wrong passwords and codes', async () => {
  const { logIn, attempt } = await world()
  for (let tries = 0; tries < 2; tries += 1) {
    expect((await logIn({ key: other })).status).toBe(401)
    expect((await attempt({ totp_code: '000000' })).status).toBe(401)
  }
  expect((await attempt({ password: 'a guess' })).status).toBe(401)
  expect((await logIn()).status).toBe(423)
})
