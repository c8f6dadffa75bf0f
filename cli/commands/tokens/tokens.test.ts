import { expect, test } from 'vitest'
import { admin, clientWorld } from '../../../local/harness/client.ts'
import { codeAt, step } from '../../../local/harness/second-factor.ts'

const minute = 60_000
const day = 86_400_000

/** Returns a client that logged in this many minutes ago. */
async function loggedIn(minutes: number) {
  const world = await clientWorld()
  await world.login()
  world.ports.clock.advance(minutes * minute)
  const create = (stdin?: string) => world.cli('tokens create ci', { stdin })
  return { world, create }
}

const aToken = /^cst_[0-9A-Za-z]{42}\n$/

test('0: asks for nothing right after a login', async () => {
  const { world, create } = await loggedIn(14)
  await using _ = world
  expect((await create()).out).toMatch(aToken)
})

test('0: an expiry in whole days is by the clock of the service, any other by that of the client', async () => {
  const { world } = await loggedIn(0)
  await using _ = world
  const expiry = async (flags: string) => {
    const { out } = await world.cli(`tokens create ci --output json ${flags}`)
    return Date.parse(JSON.parse(out).expires_at)
  }
  const now = world.ports.clock.now()
  expect(await expiry('--expires-in 90d')).toBe(now + 90 * day)
  expect(await expiry('--expires-in 48h')).toBe(now + 2 * day)
  expect(await expiry('--expires-in 3')).toBe(now + 3 * day)
  expect(await expiry('--expires-in-days 3')).toBe(now + 3 * day)
  const before = Date.now()
  const half = await expiry('--expires-in 12h')
  expect(half).toBeGreaterThanOrEqual(before + day / 2)
  expect(half).toBeLessThanOrEqual(Date.now() + day / 2)
})

test('0: asks for the password later; 1: it is wrong; 2: there is none', async () => {
  const { world, create } = await loggedIn(16)
  await using _ = world
  const without = await create()
  expect([without.code, without.err]).toEqual([2, expect.stringContaining('no password')])
  const wrong = await create('a guess\n')
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('is not your password')])
  expect((await create(`${admin.password}\n`)).out).toMatch(aToken)
})

test('0: a program that has a token is never asked', async () => {
  const { world, create } = await loggedIn(16)
  await using _ = world
  const { out } = await create(admin.password)
  const env = { CLI_SERVER: world.server, CLI_TOKEN: out.trim() }
  world.ports.clock.advance(60 * minute)
  expect((await world.cli('stacks list', { env })).code).toBe(0)
  expect((await world.cli('tokens create more', { env })).code).toBe(4)
})

test('0: asks for a code if there is a second factor', async () => {
  const { world, create } = await loggedIn(1)
  await using _ = world
  const begun = await world.cli('mfa enable', { stdin: admin.password })
  const secret = /^secret: (\S+)$/m.exec(begun.out)?.[1] ?? ''
  const code = () => codeAt(secret, world.ports.clock.now())
  await world.cli('mfa verify', { stdin: `${code()}\n` })
  world.ports.clock.advance(16 * minute + step)
  expect((await create(`${admin.password}\n`)).code).toBe(1)
  expect((await create(`${code()}\n`)).out).toMatch(aToken)
})
