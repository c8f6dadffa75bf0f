import { expect, test } from 'vitest'
import { addressText, endpointAddresses } from './endpoint.ts'

test('accepts one address or several, with an optional port', () => {
  expect(endpointAddresses('a.example.org:1, [fd00::1]:2,10.0.0.1')).toEqual([
    { host: 'a.example.org', port: 1 },
    { host: 'fd00::1', port: 2 },
    { host: '10.0.0.1', port: 8443 },
  ])
  expect(endpointAddresses('[fd00::1]').map(addressText)).toEqual(['[fd00::1]:8443'])
})

test.each([
  '',
  'a,,b',
  'a b:1',
  'https://a:1',
  'a:0',
  'a:65536',
  'fd00::1:2',
  '[a]:1',
  'a:1,',
  '-a',
  'a@b',
])('rejects %j', (text) => {
  expect(() => endpointAddresses(text)).toThrow('expected host:port')
})
