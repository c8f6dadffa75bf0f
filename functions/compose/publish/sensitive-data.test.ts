import { expect, test } from 'vitest'
import { sensitiveData } from './sensitive-data.ts'

const jwt =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'
const key = '-----BEGIN DSA PRIVATE KEY-----\nwxyz+ABC=\n-----END DSA PRIVATE KEY-----'
const github = 'ghp_1234567890abcdefghijklmnopqrstuvwxyz'

test.each([
  ['ID=A3TX1234567890ABCDEF', 'AWS access key ID', 'A3TX1234567890ABCDEF', 'ID'],
  [`x: aws"${'12345+67890/'.repeat(4).slice(0, 40)}"`, 'AWS secret key', undefined, 'x'],
  [`export T="${github}"`, 'GitHub token', github, 'T'],
  [jwt, 'JSON Web Token', jwt, ''],
  [`first\n${key}\nlast`, 'private key', key, ''],
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nabc', 'private key', undefined, ''],
])('%j has sensitive data', (text, what, value, name) => {
  const [found, ...others] = sensitiveData(text)
  expect(others).toEqual([])
  expect(found).toMatchObject({ what, key: name, ...(value !== undefined && { value }) })
})

test.each([
  'PASSWORD=hunter2',
  'ghp_short',
  'XAKIAABCDEFGHIJKLMNOP',
  'eyJ.eyJ.x',
  '-----BEGIN CERTIFICATE-----',
])('%j has none', (text) => expect(sensitiveData(text)).toEqual([]))

test('the line is counted from 1', () => {
  expect(sensitiveData(`\n\n  k: ${github}`)[0]).toMatchObject({ line: 3, key: 'k' })
})

test.each([
  ['ey', 0],
  ['eyaaaaaaaaaa.', 50],
  ['aws ', 0],
  ['aws"', 0],
  ['-----BEGIN PRIVATE KEY-----', 50],
  ['ghp_', 0],
  ['A3TX', 0],
  ['secret_access_key=', 0],
  ['a', 0],
])('a text of 1 MiB of %j has %i, of at most 50', (part, count) => {
  expect(sensitiveData(part.repeat(Math.ceil(2 ** 20 / part.length)))).toHaveLength(count)
})
