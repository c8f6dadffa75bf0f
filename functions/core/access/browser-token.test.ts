import { expect, test } from 'vitest'
import { memoryBrowserSecrets } from '../../../adapters/testing/memory/browser-secrets.ts'
import {
  makeBrowserKey,
  makeBrowserToken,
  readBrowserToken,
  successorsOf,
} from './browser-token.ts'

const key = makeBrowserKey(new Uint8Array(32).fill(1))
const id = '01977d3c-7a00-7000-8000-0d1f6a2b3c4d'
const token = makeBrowserToken(id, key, new Uint8Array(32).fill(2))

test('parses what it makes', () => {
  expect(readBrowserToken(token.cookie, key)).toEqual(token)
})

test.each([
  ['a refresh token', token.cookie.replace('csb_', 'csr_'), key],
  ['a longer cookie', `${token.cookie}A`, key],
  ['a key without its prefix', token.cookie, key.slice(4)],
  ['the cookie as the key', token.cookie, token.cookie],
])('rejects %s', (_, cookie, given) => {
  expect(readBrowserToken(cookie, given)).toBeUndefined()
})

test('a successor depends on both halves and on the key of the installation', () => {
  const secrets = memoryBrowserSecrets()
  const [next] = successorsOf(token, secrets)
  expect(successorsOf(token, secrets)).toEqual([next])
  const otherKey = makeBrowserToken(
    id,
    makeBrowserKey(new Uint8Array(32)),
    new Uint8Array(32).fill(2),
  )
  const otherCookie = makeBrowserToken(id, key, new Uint8Array(32).fill(3))
  secrets.keys.unshift('another')
  const [elsewhere, same] = successorsOf(token, secrets)
  expect(same).toEqual(next)
  const cookies = [
    next,
    elsewhere,
    ...successorsOf(otherKey, secrets),
    ...successorsOf(otherCookie, secrets),
  ]
  expect(new Set(cookies.map((one) => one?.cookie)).size).toBe(6)
})
