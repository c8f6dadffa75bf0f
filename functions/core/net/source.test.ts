import { expect, test } from 'vitest'
import { sourceReader } from './source.ts'

test('returns the peer address and ignores headers if no proxy is trusted', () => {
  const source = sourceReader('')
  expect(source('192.0.2.1', '198.51.100.7')).toBe('192.0.2.1')
  expect(source('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(source('2001:db8::1')).toBe('2001:db8::1')
  expect(source(undefined)).toBe('')
})

test.each([
  ['trusts a proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['trusts a proxy on an IPv6 socket', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['trusts a chain of proxies', '10.0.0.1', '198.51.100.7, 10.0.0.9', '198.51.100.7'],
  ['ignores entries written by the client', '10.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
  ['ignores unknown proxies', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['ignores a name', '10.0.0.1', 'localhost', '10.0.0.1'],
  ['ignores an incomplete address', '10.0.0.1', '127.1', '10.0.0.1'],
  ['ignores an octal address', '10.0.0.1', '0177.0.0.1', '10.0.0.1'],
  [
    'ignores entries before an invalid one',
    '10.0.0.1',
    '198.51.100.7, unknown, 10.0.0.9',
    '10.0.0.9',
  ],
  ['accepts an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['returns the first of several proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['IPv6', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['unwraps an IPv4-mapped address', '10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
])('%s', (_what, peer, forwardedFor, expected) => {
  expect(sourceReader('10.0.0.0/8, fd00::1')(peer, forwardedFor)).toBe(expected)
})

test.each(['proxy', '10.0.0.0/33', '10.1', '10.0.0.1, x', '/8', '010.0.0.1'])(
  'rejects %s as list of proxies',
  (text) => expect(() => sourceReader(text)).toThrow('is not an address or range'),
)
