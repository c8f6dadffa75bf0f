import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { admin, clientWorld } from '../../../local/harness/client.ts'
import { codeAt, step } from '../../../local/harness/second-factor.ts'

/** Returns a logged-in client whose user has a second factor. */
async function enabled() {
  const world = await clientWorld()
  await world.login()
  const begun = await world.cli('mfa enable', { stdin: admin.password })
  const [url = '', seed = ''] = begun.out.split('\n')
  const secret = seed.replace('secret: ', '')
  const now = () => world.ports.clock.now()
  const verified = await world.cli('mfa verify', { stdin: `${codeAt(secret, now())}\n` })
  world.ports.clock.advance(step)
  const login = (...lines: string[]) =>
    world.cli(['login', world.server, '--user', 'ada'], { stdin: lines.join('\n') })
  const code = () => codeAt(secret, now())
  return { world, begun, url, secret, verified, login, code, recovery: verified.out.split('\n') }
}

test('0: enable prints a link and the secret, verify prints ten recovery codes', async () => {
  const made = await enabled()
  await using _world = made.world
  expect([made.begun.code, made.verified.code]).toEqual([0, 0])
  expect(new URL(made.url).searchParams.get('secret')).toBe(made.secret)
  expect(made.recovery.filter((line) => /^[A-Z2-7]{20}$/.test(line))).toHaveLength(10)
  expect((await made.world.cli('whoami')).out).toMatch(/second factor +on/)
})

test('0: login accepts a code with spaces or a recovery code as the second line', async () => {
  const { world, login, code, recovery } = await enabled()
  await using _world = world
  const digits = code()
  expect((await login(admin.password, `${digits.slice(0, 3)} ${digits.slice(3)}`)).code).toBe(0)
  expect((await login(admin.password, present(recovery[0]))).code).toBe(0)
})

test('2 and 3: login without a code, with a wrong one, with a used one', async () => {
  const { world, login, code } = await enabled()
  await using _world = world
  const without = await login(admin.password)
  expect([without.code, without.err]).toEqual([2, expect.stringContaining('six-digit code')])
  expect((await login(admin.password, '000000')).code).toBe(3)
  expect((await login(admin.password, code())).code).toBe(0)
  expect((await login(admin.password, code())).code).toBe(3)
})

test('0: disable requires the password and a code', async () => {
  const { world, login, code } = await enabled()
  await using _world = world
  expect((await world.cli('mfa disable', { stdin: `wrong\n${code()}` })).code).toBe(1)
  expect((await world.cli('mfa disable', { stdin: `${admin.password}\n${code()}` })).code).toBe(0)
  expect((await login(admin.password)).code).toBe(0)
})
