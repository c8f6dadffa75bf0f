import { expect, test } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

test.each([
  ['https://stacks.example.org', 'stacks.example.org', 'https://stacks.example.org'],
  ['https://stacks.example.org:8443', 'stacks.example.org', 'https://stacks.example.org:8443'],
  ['https://example.org/stacks', 'example.org', 'https://example.org'],
  ['https://nas', 'nas', 'https://nas'],
  ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  ['http://stacks.localhost', 'stacks.localhost', 'http://stacks.localhost'],
])('%s has passkeys for %s', (baseUrl, id, origin) => {
  expect(relyingPartyOf({ baseUrl })).toEqual({ id, origin })
})

test.each([
  [null, 'no-address'],
  ['https://192.0.2.1', 'ip-address'],
  ['http://127.0.0.1:8080', 'ip-address'],
  ['https://[::1]:8443', 'ip-address'],
  ['http://nas:8080', 'no-tls'],
  ['http://localhost.example.org', 'no-tls'],
  ['http://mylocalhost', 'no-tls'],
])('%s has none: %s', (baseUrl, obstacle) => {
  expect(relyingPartyOf({ baseUrl })).toBe(obstacle)
})
