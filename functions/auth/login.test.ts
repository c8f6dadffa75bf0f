import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import { accountAttempts, strangerAttempts, strangerRows } from '../core/access/attempt.ts'
import { internalError } from '../core/errors.ts'
import type { Account } from '../core/records/account.ts'
import me from '../me/get.ts'
import beginMfa from '../me/mfa/create.ts'
import changePassword from '../me/password/update.ts'
import login from './login.ts'

const password = 'correct horse battery'

/** Returns ports with an account for Anna, and a count of verified passwords. */
async function world(given: Partial<Pick<Account, 'disabled' | 'identity'>> = {}) {
  const ports = memoryPorts()
  const passwordHash = await ports.passwords.hash(password)
  const anna = await accountOf(ports, {
    username: 'Anna',
    role: 'operator',
    passwordHash,
    ...given,
  })
  const verified: (string | undefined)[] = []
  const counted = {
    ...ports,
    passwords: {
      ...ports.passwords,
      verify(presented: string, hash: string | undefined) {
        verified.push(hash)
        return ports.passwords.verify(presented, hash)
      },
    },
  }
  const attempt = (username: string, presented = password, more: object = {}) =>
    call(login, { body: { username, password: presented, ...more }, ports: counted })
  return { ports: counted, anna, verified, attempt }
}

const wrong = { error: 'the user name or the password is wrong' }

test('401: a password that a user of an identity provider had before is refused', async () => {
  const identity = { issuer: 'https://login.example.org', subject: 's-anna' }
  const { ports, anna, attempt } = await world({ identity })
  expect((await attempt('Anna')).json).toEqual(wrong)
  const token = await signIn(ports, { username: 'Anna' })
  expect((await call(me, { ports, as: { token } })).json.has_password).toBe(false)
  const own = { current_password: password, password: 'another password' }
  expect((await call(changePassword, { ports, body: own, as: { token } })).status).toBe(400)
  expect((await call(beginMfa, { ports, body: { password }, as: { token } })).status).toBe(409)
  expect((await ports.accounts.find(anna.id))?.passwordHash).toBe(anna.passwordHash)
})

test('200: returns a pair of tokens and the user', async () => {
  const { ports, anna, attempt } = await world()
  const { status, json } = await attempt('Anna')
  expect(status).toBe(200)
  expect(json.user).toEqual({ id: anna.id, username: 'Anna', role: 'operator' })
  expect((await call(me, { ports, as: { token: json.access_token } })).json.username).toBe('Anna')
  expect(json.refresh_token).toMatch(/^csr_[0-9a-f-]{36}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/)
  expect((await ports.accounts.find(anna.id))?.lastLoginAt).toBe(ports.clock.now())
})

test('200: ignores case, spaces and width of the user name', async () => {
  const { attempt } = await world()
  for (const name of [' anna ', 'ANNA', 'Ａｎｎａ']) expect((await attempt(name)).status).toBe(200)
})

test('200: a session lasts a day, or two weeks with `remember_me`', async () => {
  const { ports, anna, attempt } = await world()
  const day = 86_400_000
  await attempt('anna')
  await attempt('anna', password, { remember_me: true })
  const sessions = await ports.sessions.listByAccount(anna.id)
  expect(sessions.map((session) => session.expiresAt - ports.clock.now())).toEqual([day, 14 * day])
})

test('200: stores neither the password nor a token in clear text', async () => {
  const { ports, anna, attempt } = await world()
  const { json } = await attempt('anna')
  const [session] = await ports.sessions.listByAccount(anna.id)
  expect(JSON.stringify(session)).not.toContain(json.refresh_token.split('.')[2])
})

test('200: accepts six simultaneous correct logins', async () => {
  const { attempt } = await world()
  const answers = await Promise.all(Array.from({ length: 6 }, () => attempt('anna')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
})

test('200: a successful login resets the count of failures', async () => {
  const { attempt } = await world()
  for (let round = 0; round < 3; round += 1) {
    for (let tries = 0; tries < 4; tries += 1) {
      expect((await attempt('anna', 'wrong password')).status).toBe(401)
    }
    expect((await attempt('anna')).status).toBe(200)
  }
})

test('400: names a missing, unknown or oversized field before hashing anything', async () => {
  const { ports, verified, attempt } = await world()
  const bad = await call(login, { body: { username: 'anna' }, ports })
  expect(bad).toMatchObject({ status: 400, json: { error: expect.stringContaining('password') } })
  expect((await attempt('anna', 'x'.repeat(1025))).status).toBe(400)
  const unknown = await attempt('anna', password, { admin: true })
  expect(unknown).toMatchObject({ status: 400, json: { error: expect.stringContaining('admin') } })
  expect(verified).toEqual([])
})

test('401: a wrong password and an unknown name get the same answer', async () => {
  const { verified, attempt } = await world()
  expect(await attempt('anna', 'wrong password')).toMatchObject({ status: 401, json: wrong })
  expect(await attempt('nobody', 'wrong password')).toMatchObject({ status: 401, json: wrong })
  expect(verified).toEqual([expect.any(String), undefined])
})

test('401: does not look up a name that is too long after normalization', async () => {
  const { ports, attempt } = await world()
  const { findByUsername } = ports.accounts
  const asked: string[] = []
  ports.accounts.findByUsername = (name) => {
    asked.push(name)
    return findByUsername(name)
  }
  const name = '\ufdfa'.repeat(256)
  expect(await attempt(name, 'wrong password')).toMatchObject({ status: 401, json: wrong })
  expect(asked).toEqual([])
})

test('401: a disabled account, even with the correct password', async () => {
  const { attempt } = await world({ disabled: true })
  expect(await attempt('anna')).toMatchObject({ status: 401, json: wrong })
})

test('401: the password was changed while it was verified', async () => {
  const { ports, anna, attempt } = await world()
  const { verify } = ports.passwords
  ports.passwords.verify = async (presented, hash) => {
    const right = await verify(presented, hash)
    const account = await ports.accounts.find(anna.id)
    await ports.accounts.replace({ ...present(account), passwordHash: 'another' })
    return right
  }
  expect((await attempt('anna')).status).toBe(401)
  expect(await ports.sessions.listByAccount(anna.id)).toEqual([])
})

test('423: after five failures rejects even the correct password until the lock ends', async () => {
  const { ports, verified, attempt } = await world()
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await attempt('anna', 'wrong password')).status).toBe(401)
  }
  const until = new Date(ports.clock.now() + 900_000).toISOString()
  const answer = await attempt(' ANNA')
  expect(answer).toMatchObject({ status: 423, json: { error: expect.stringContaining(until) } })
  expect(answer.headers['retry-after']).toBe('900')
  expect(verified).toHaveLength(5)
  ports.clock.advance(900_000)
  expect((await attempt('anna')).status).toBe(200)
})

test('423: an unknown name locks in the same way', async () => {
  const { verified, attempt } = await world()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) statuses.push((await attempt('nobody')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 423])
  expect(verified).toHaveLength(5)
})

test('423: the answers for unknown names are those for known ones, up to the lock', async () => {
  const { attempt } = await world()
  const answersFor = async (username: string) => {
    const answers = []
    for (let tries = 0; tries < 6; tries += 1) {
      const { status, json, headers } = await attempt(username, 'wrong password')
      answers.push([status, json, headers['retry-after']])
    }
    return answers
  }
  const known = await answersFor('anna')
  expect(await answersFor('eve')).toEqual(known)
  expect(await answersFor('\ufdfa'.repeat(256))).toEqual(known)
})

test('401: many invented names leave a limited number of rows, and none for accounts', async () => {
  const { ports, attempt } = await world()
  const keys = new Set<string>()
  const { swap } = ports.attempts
  ports.attempts.swap = (key, ...rest) => {
    keys.add(key)
    return swap(key, ...rest)
  }
  await attempt('eve')
  expect([...keys]).toEqual([strangerAttempts('eve', ports)])
  for (let name = 0; name < 2 * strangerRows; name += 1)
    keys.add(strangerAttempts(`invented ${name}`, ports))
  expect(keys.size).toBeLessThanOrEqual(strangerRows)
  expect(keys).not.toContain(accountAttempts('anna'))
})

test('401: names that share a row in one installation do not in another', async () => {
  const [one, other] = [await world(), await world()]
  other.ports.browserSecrets.keys[0] = 'another key'
  const names = Array.from({ length: 20 }, (_, at) => `invented ${at}`)
  const rowsIn = ({ ports }: typeof one) => names.map((name) => strangerAttempts(name, ports))
  expect(rowsIn(one)).not.toEqual(rowsIn(other))
})

test('423: a lock of invented names locks no account, and the name ignores case', async () => {
  const { attempt } = await world()
  for (let tries = 0; tries < 5; tries += 1) await attempt('Eve')
  expect((await attempt(' ＥＶＥ ')).status).toBe(423)
  expect((await attempt('anna')).status).toBe(200)
})

test('423: verifies only five of a hundred simultaneous wrong passwords', async () => {
  const { verified, attempt } = await world()
  const answers = await Promise.all(Array.from({ length: 100 }, () => attempt('anna', 'wrong one')))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([count(401), count(423)]).toEqual([5, 95])
  expect(verified).toHaveLength(5)
})

test('423: takes the limits from the settings', async () => {
  const { ports, attempt } = await world()
  await ports.settings.save({ 'auth.lockout_max_attempts': 2, 'auth.lockout_duration_minutes': 1 })
  expect((await attempt('anna', 'wrong password')).status).toBe(401)
  expect((await attempt('anna', 'wrong password')).status).toBe(401)
  expect((await attempt('anna')).status).toBe(423)
  ports.clock.advance(60_000)
  expect((await attempt('anna')).status).toBe(200)
})

test('500: does not count an attempt that could not be verified', async () => {
  const { ports, attempt } = await world()
  const { verify } = ports.passwords
  ports.passwords.verify = async () => {
    throw internalError('the service is overloaded')
  }
  for (let tries = 0; tries < 6; tries += 1) expect((await attempt('anna')).status).toBe(500)
  ports.passwords.verify = verify
  expect((await attempt('anna')).status).toBe(200)
})

test('500: rejects every login while the store cannot count attempts', async () => {
  const { ports, verified, attempt } = await world()
  ports.attempts.swap = async () => {
    throw internalError('the store does not respond')
  }
  expect((await attempt('anna')).status).toBe(500)
  expect(verified).toEqual([])
})

test('200: the reservations of a dead process expire after 30 s', async () => {
  const { ports, attempt } = await world()
  const { verify } = ports.passwords
  const { read } = ports.attempts
  const died = new Promise<void>((resolve) => {
    let hung = 0
    ports.passwords.verify = () => {
      hung += 1
      if (hung === 5) resolve()
      return new Promise(() => {})
    }
  })
  for (let tries = 0; tries < 5; tries += 1) void attempt('anna')
  await died
  ports.passwords.verify = verify
  const refused = new Promise<void>((resolve) => {
    ports.attempts.read = (key) => {
      resolve()
      return read(key)
    }
  })
  const next = attempt('anna')
  await refused
  ports.clock.advance(30_000)
  expect((await next).status).toBe(200)
})

test('500: discards a verdict that arrives too late', async () => {
  for (const presented of [password, 'wrong password']) {
    const { ports, attempt } = await world()
    const { verify } = ports.passwords
    ports.passwords.verify = (...given) => {
      ports.clock.advance(30_000)
      return verify(...given)
    }
    expect((await attempt('anna', presented)).status).toBe(500)
  }
})
