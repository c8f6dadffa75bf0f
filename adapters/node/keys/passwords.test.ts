import * as argon from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { argonPasswords } from './passwords.ts'

test('uses argon2id with 19 MiB, 2 passes, 1 lane and a new salt each time', async () => {
  const passwords = argonPasswords()
  const [one, other] = [await passwords.hash('password'), await passwords.hash('password')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(other)
})

test('accepts only the right password, and none without a hash', async () => {
  const passwords = argonPasswords()
  const hash = await passwords.hash('Passwörd')
  expect(await passwords.verify('Passwörd', hash)).toBe(true)
  expect(await passwords.verify('passwörd', hash)).toBe(false)
  expect(await passwords.verify('Passwörd ', hash)).toBe(false)
  expect(await passwords.verify('Passwörd', undefined)).toBe(false)
})

test('accepts a password however a keyboard composes its letters', async () => {
  const passwords = argonPasswords()
  const forms = ['Passw\u00f6rd', 'Passwo\u0308rd']
  // An earlier version hashed the password as it was typed.
  const hashes = await Promise.all(
    forms.flatMap((form) => [passwords.hash(form), argon.hash(form, { algorithm: 2 })]),
  )
  for (const hash of hashes) {
    for (const form of forms) expect(await passwords.verify(form, hash)).toBe(true)
    expect(await passwords.verify('Password', hash)).toBe(false)
  }
})

test('compares as often for an unknown user as for a wrong password', async () => {
  let compared = 0
  const verify: typeof argon.verify = (...given) => {
    compared += 1
    return argon.verify(...given)
  }
  const passwords = argonPasswords(undefined, { hash: argon.hash, verify })
  const hash = await passwords.hash('right')
  const counts = async (stored: string | undefined, password: string) => {
    compared = 0
    expect(await passwords.verify(password, stored)).toBe(false)
    return compared
  }
  expect(await counts(hash, 'wrong')).toBe(await counts(undefined, 'wrong'))
  expect(await counts(hash, 'wr\u00f6ng')).toBe(await counts(undefined, 'wr\u00f6ng'))
})

test('500: the queue is full; queued calls are served', async () => {
  const passwords = argonPasswords({ running: 1, waiting: 2 })
  const hash = await passwords.hash('password')
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => passwords.verify('password', hash)),
  )
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(results[3]).toMatchObject({ reason: { status: 500 } })
  expect(await passwords.verify('password', hash)).toBe(true)
})

test('an invalid hash frees its slot', async () => {
  const passwords = argonPasswords({ running: 1, waiting: 0 })
  await expect(passwords.verify('password', 'no hash')).rejects.toThrow()
  expect(await passwords.verify('password', undefined)).toBe(false)
})

test('rejects an unknown user even after the dummy hash failed once', async () => {
  let tries = 0
  const hash: typeof argon.hash = (...given) => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('no memory')) : argon.hash(...given)
  }
  const passwords = argonPasswords(undefined, { hash, verify: argon.verify })
  await expect(passwords.verify('password', undefined)).rejects.toThrow('no memory')
  expect(await passwords.verify('password', undefined)).toBe(false)
  expect(await passwords.verify('password', undefined)).toBe(false)
  expect(tries).toBe(2)
})
