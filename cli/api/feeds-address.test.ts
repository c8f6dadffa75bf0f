import { expect, test } from 'vitest'
import { CliFailure } from '../failure.ts'
import { feedsAddress } from './feeds-address.ts'

test.each([
  ['https://stacks.example.org', undefined, 'wss://stacks.example.org/api/v1'],
  ['http://nas:8080/stacks', undefined, 'ws://nas:8080/stacks/api/v1'],
  [
    'https://a.example.org',
    'wss://b.example.org:8081/x/api/v1',
    'wss://b.example.org:8081/x/api/v1',
  ],
  ['http://nas:8080', 'ws://nas:8081/api/v1/', 'ws://nas:8081/api/v1'],
  ['http://nas:8080', 'wss://nas/api/v1', 'wss://nas/api/v1'],
])('feeds of %s that names %s are at %s', (server, named, address) => {
  expect(feedsAddress(server, named)).toBe(address)
})

test.each([
  '',
  'feeds',
  'https://b.example.org',
  'wss://ada:x@b.example.org',
  'wss://b/?x=1',
  'wss:',
])('1: "%s" is not an address of feeds', (named) => {
  const open = () => feedsAddress('https://a.example.org', named)
  expect(open).toThrow(CliFailure)
  expect(open).toThrow(`${JSON.stringify(named)} is not an address of feeds`)
})

test('1: rejects feeds without TLS of a server with TLS', () => {
  const open = () => feedsAddress('https://a.example.org', 'ws://a.example.org/api/v1')
  expect(open).toThrow('is not encrypted')
})
