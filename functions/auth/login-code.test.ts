import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { annaWorld, codeAt, step } from '../../local/harness/second-factor.ts'
import me from '../me/get.ts'
import login from './login.ts'

async function world() {
  const anna = await annaWorld()
  const factor = await anna.enable()
  const wrongPassword = (more: object = {}) => anna.attempt({ password: 'a guess', ...more })
  const code = (totp_code = factor.code()) => anna.attempt({ totp_code })
  return { ...anna, factor, wrongPassword, code }
}

test('200: accepts the current code and the one before it', async () => {
  const { factor, code } = await world()
  expect((await code(factor.code())).status).toBe(200)
  const other = await world()
  other.ports.clock.advance(step)
  expect((await other.code(other.factor.code(-step))).status).toBe(200)
})

test('200: ignores spaces and hyphens in a code', async () => {
  const { factor, code } = await world()
  const digits = factor.code()
  expect((await code(` ${digits.slice(0, 3)} ${digits.slice(3)}\n`)).status).toBe(200)
  const recovery = present(factor.recovery[0])
    .toLowerCase()
    .replace(/(.{5})(?!$)/g, '$1-')
  expect((await code(recovery)).status).toBe(200)
})

test('200: accepts each recovery code once', async () => {
  const { factor, code } = await world()
  expect(factor.recovery).toHaveLength(10)
  for (const one of factor.recovery) {
    expect((await code(one)).status).toBe(200)
    expect((await code(one)).status).toBe(401)
  }
})

test('200: accepts a code once, even from fifty simultaneous logins', async () => {
  const { ports, factor, code } = await world()
  await ports.settings.save({ 'auth.lockout_max_attempts': 100 })
  for (const given of [factor.code(), present(factor.recovery[0])]) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => code(given)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(49).fill(401)])
  }
})

test('400: an empty code, one that is too long, or one that is not a string', async () => {
  const { attempt } = await world()
  for (const totp_code of ['', '1'.repeat(65), 123456, null, ['123456'], {}]) {
    expect((await attempt({ totp_code })).status).toBe(400)
  }
})

test('401: asks for a code only after the correct password', async () => {
  const { attempt, wrongPassword } = await world()
  const asked = await attempt()
  expect(asked).toMatchObject({ status: 401, json: { error: 'TOTP code required' } })
  expect(asked.headers['www-authenticate']).toBe('TOTP')
  const refused = await wrongPassword()
  expect(refused.json.error).not.toContain('TOTP')
  expect(refused.headers['www-authenticate']).toBe('Bearer')
})

test('401: a wrong code and a wrong password with a code get the same answer', async () => {
  const { factor, code, wrongPassword } = await world()
  const wrong = await code('000000')
  const other = await wrongPassword({ totp_code: factor.code() })
  expect(wrong.json).toEqual({ error: 'the user name, the password or the code is wrong' })
  expect([other.status, other.json, other.headers['www-authenticate']]).toEqual([
    wrong.status,
    wrong.json,
    wrong.headers['www-authenticate'],
  ])
})

test('401: rejects used, outdated, future and malformed codes', async () => {
  const { ports, factor, code } = await world()
  await ports.settings.save({ 'auth.lockout_max_attempts': 100 })
  const used = factor.code()
  expect((await code(used)).status).toBe(200)
  const [five, seven] = [used.slice(1), `${used}1`]
  const arabic = [...used].map((digit) => String.fromCharCode(0x660 + Number(digit))).join('')
  const others = [used, factor.code(-2 * step), factor.code(step), five, seven, arabic]
  for (const text of [...others, ' ', '      ', 'abcdef', '１２３４５６', '-12345', '1e5', '\0']) {
    expect((await code(text)).status).toBe(401)
  }
})

test('401: using a code invalidates the code before it', async () => {
  const { ports, factor, code } = await world()
  ports.clock.advance(step)
  expect((await code(factor.code())).status).toBe(200)
  expect((await code(factor.code(-step))).status).toBe(401)
})

test('401: accepts no code twice after the clock was set back', async () => {
  const { ports, factor, code } = await world()
  await ports.settings.save({ 'auth.lockout_max_attempts': 100 })
  expect((await code()).status).toBe(200)
  const now = ports.clock.now()
  for (const back of [step, 10 * step, 120 * step]) {
    ports.clock.set(now - back)
    expect((await code(factor.code())).status).toBe(401)
    expect((await code(factor.code(back))).status).toBe(401)
  }
  expect((await code(factor.recovery[0])).status).toBe(200)
})

test('200: accepts codes again after a clock that was ahead is corrected, each once', async () => {
  const { ports, factor, code } = await world()
  expect((await code()).status).toBe(200)
  ports.clock.advance(-365 * 86_400_000)
  expect((await code(factor.code())).status).toBe(200)
  expect((await code(factor.code())).status).toBe(401)
})

test('401: rejects every code if the stored second factor is missing', async () => {
  const { ports, account, code, factor } = await world()
  await ports.secondFactors.remove(present((await account()).secondFactorId))
  for (const text of [factor.code(), present(factor.recovery[0])]) {
    expect((await code(text)).status).toBe(401)
  }
})

test('401: rejects the code of another account', async () => {
  const { ports, account, factor, password } = await world()
  const anna = await account()
  const [own] = await ports.secondFactors.list()
  const bobs = {
    ...present(own),
    id: 'bobs',
    accountId: 'bob',
    secret: 'A'.repeat(32),
    recoveryHashes: [],
  }
  await ports.secondFactors.create(bobs)
  await ports.accounts.create({ ...anna, id: 'b2', username: 'bob', secondFactorId: 'bobs' })
  for (const totp_code of [factor.code(), factor.recovery[0]]) {
    const body = { username: 'bob', password, totp_code }
    expect((await call(login, { ports, body })).status).toBe(401)
  }
})

test('401: the request for a code creates no session and contains no credential', async () => {
  const { ports, anna, attempt } = await world()
  const before = await ports.sessions.listByAccount(anna.id)
  const asked = await attempt()
  expect(Object.keys(asked.json)).toEqual(['error'])
  expect(await ports.sessions.listByAccount(anna.id)).toEqual(before)
  expect((await call(me, { ports, as: { token: 'TOTP code required' } })).status).toBe(401)
})

test('401: the second factor was enabled while the password was verified', async () => {
  const world = await annaWorld()
  const { verify } = world.ports.passwords
  const { secret } = (await world.begin()).json
  const enable = () => world.verify(codeAt(secret, world.ports.clock.now()))
  let between: (() => Promise<unknown>) | undefined = enable
  world.ports.passwords.verify = async (presented, hash) => {
    const right = await verify(presented, hash)
    const once = between
    between = undefined
    await once?.()
    return right
  }
  expect((await world.attempt()).status).toBe(401)
})

test('423: counts wrong codes; a missing code neither counts nor resets the count', async () => {
  const { attempt, code } = await world()
  for (let tries = 0; tries < 4; tries += 1) {
    expect((await code('000000')).status).toBe(401)
    for (let times = 0; times < 3; times += 1) {
      expect((await attempt()).json.error).toBe('TOTP code required')
    }
  }
  expect((await code('000000')).status).toBe(401)
  expect((await attempt()).status).toBe(423)
  expect((await code()).status).toBe(423)
})

test('423: counts wrong passwords and wrong codes together; a successful login resets both', async () => {
  const { factor, code, wrongPassword } = await world()
  for (let tries = 0; tries < 2; tries += 1) {
    await wrongPassword()
    await code('000000')
  }
  expect((await code()).status).toBe(200)
  for (let tries = 0; tries < 2; tries += 1) {
    await wrongPassword({ totp_code: factor.recovery[0] })
    await code('000000')
  }
  await wrongPassword()
  expect((await code(factor.recovery[0])).status).toBe(423)
})

test('423: compares only five of a hundred simultaneous wrong codes', async () => {
  const { ports, code } = await world()
  let compared = 0
  const { find } = ports.secondFactors
  ports.secondFactors.find = (id) => {
    compared += 1
    return find(id)
  }
  const answers = await Promise.all(Array.from({ length: 100 }, () => code('000000')))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([count(401), count(423), compared]).toEqual([5, 95, 5])
})

test('500: does not ask for a code if verifying the password took too long', async () => {
  const { ports, attempt } = await world()
  const { verify } = ports.passwords
  ports.passwords.verify = (...given) => {
    ports.clock.advance(30_000)
    return verify(...given)
  }
  expect((await attempt()).status).toBe(500)
})
