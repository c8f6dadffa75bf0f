import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const read = (SERVICE_FEEDS_URL: string) =>
  readConfig({ SERVICE_DATA_DIR: '/nowhere', SERVICE_FEEDS_URL }).feedsUrl

test.each([
  ['https://feeds.example.org', 'wss://feeds.example.org'],
  ['http://10.0.0.6:8081/', 'ws://10.0.0.6:8081'],
  ['wss://Feeds.example.org:443/stacks//', 'wss://feeds.example.org/stacks'],
  ['ws://nas_1:8080', 'ws://nas_1:8080'],
])('the feeds at %s have the address %s', (given, wanted) => {
  expect(read(given)).toBe(wanted)
})

test.each([
  ['http://feeds.example.org', 'https://stacks.example.org'],
  ['ws://feeds.example.org', 'HTTPS://stacks.example.org'],
])('rejects %s for a service at %s', (SERVICE_FEEDS_URL, SERVICE_BASE_URL) => {
  const env = { SERVICE_DATA_DIR: '/nowhere', SERVICE_FEEDS_URL, SERVICE_BASE_URL }
  expect(() => readConfig(env)).toThrow('SERVICE_FEEDS_URL: must be https:// or wss://')
})

test.each([
  ['http://feeds.example.org', 'http://stacks.example.org'],
  ['https://feeds.example.org', 'http://stacks.example.org'],
  ['https://feeds.example.org', 'https://stacks.example.org'],
])('accepts %s for a service at %s', (SERVICE_FEEDS_URL, SERVICE_BASE_URL) => {
  const env = { SERVICE_DATA_DIR: '/nowhere', SERVICE_FEEDS_URL, SERVICE_BASE_URL }
  expect(readConfig(env).feedsUrl).toMatch(/^wss?:/)
})

test('without the variable, the feeds have no address of their own', () => {
  expect(read('')).toBeUndefined()
})

test.each([
  ['feeds.example.org', 'expected an address'],
  ['feeds.example.org:8081', 'expected an address'],
  ['ftp://feeds.example.org', 'expected an address'],
  ['wss://', 'expected an address'],
  ['wss://ada@feeds.example.org', 'must have no credentials'],
  ['wss://:secret@feeds.example.org', 'must have no credentials'],
  ['wss://feeds.example.org/?a=b', 'must have no credentials, query'],
  ['wss://feeds.example.org/#a', 'must have no credentials, query or fragment'],
  ['wss://a;sandbox', 'must have a host name'],
  ["wss://a,'self'", 'must have a host name'],
  ['wss://*', 'must have a host name'],
  ['wss://[::1]:8081', 'must have a host name'],
  ['wss://feeds.example.org/api/v1/', 'must be the address without /api/v1'],
])('rejects %s', (given, message) => {
  expect(() => read(given)).toThrow(`SERVICE_FEEDS_URL: ${message}`)
})
