import { expect, test } from 'vitest'
import { present } from '../testing/present.ts'
import { newIdentity } from './age.ts'
import { ageKeys } from './age-keys.ts'

const keys = ageKeys()

/** Returns a text in the armor of age. */
const armored = (text: string) =>
  `-----BEGIN AGE ENCRYPTED FILE-----\n${text}\n-----END AGE ENCRYPTED FILE-----\n`

test('a key that was made is read from its identity, and each is another one', async () => {
  const made = await keys.makeAge()
  expect(made.recipient).toMatch(/^age1[02-9ac-hj-np-z]{58}$/)
  expect(await keys.readAge(` ${made.identity}\r\n`)).toEqual(made)
  expect((await keys.makeAge()).identity).not.toBe(made.identity)
})

test('a file of age-keygen is read', async () => {
  const file = await newIdentity(new Date(0))
  const [, recipient] = present(/public key: (\S+)/.exec(file))
  expect(await keys.readAge(file)).toMatchObject({ recipient })
})

test('what is no single identity is not read', async () => {
  const { identity, recipient } = await keys.makeAge()
  const other = (await keys.makeAge()).identity
  const last = identity.at(-1) === 'Q' ? 'P' : 'Q'
  for (const text of [
    '',
    '# only a comment',
    recipient,
    identity.toLowerCase(),
    `${identity}\n${other}`,
    identity.slice(0, -1) + last,
    `AGE-SECRET-KEY-PQ-1${'Q'.repeat(58)}`,
    'AGE-PLUGIN-YUBIKEY-1QQQ',
  ]) {
    expect([text, await keys.readAge(text)]).toEqual([text, undefined])
  }
})

test('what is damaged is not decrypted', async () => {
  const { identity } = await keys.makeAge()
  for (const text of ['', 'none', armored('AAAA'), armored('====')]) {
    expect([text, await keys.decryptAge(text, identity)]).toEqual([text, undefined])
  }
})
