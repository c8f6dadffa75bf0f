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

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['198.51.100.1, 203.0.113.9:40000', '203.0.113.9'],
  ['203.0.113.9:51234, 127.0.0.1:8000', '203.0.113.9'],
  ['203.0.113.9:51234, [::1]:8000', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:1', '203.0.113.9'],
  ['203.0.113.9, [::ffff:127.0.0.1]:1', '203.0.113.9'],
  // One address in several spellings.
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['[0:0:0:0:0:FFFF:203.0.113.9]:1', '203.0.113.9'],
  ['203.0.113.9, ::ffff:7f00:1', '203.0.113.9'],
  ['2001:0DB8:0:0::7', '2001:db8::7'],
  ['[2001:DB8::7]:443', '2001:db8::7'],
  // The last part of an IPv6 address without brackets is no port.
  ['2001:db8::7:443', '2001:db8::7:443'],
])('takes the address of a proxy that appends ports or brackets: %s', (forwardedFor, expected) => {
  expect(sourceReader('127.0.0.1 ::1')('127.0.0.1', forwardedFor)).toBe(expected)
  expect(sourceReader('')('127.0.0.1', forwardedFor)).toBe('127.0.0.1')
})

test.each([
  'unknown',
  '_hidden',
  '203.0.113.9:99999',
  '203.0.113.9:',
  '203.0.113.9:80:80',
  '203.0.113.9:port',
  '203.0.113:80',
  '[203.0.113.9]',
  '[203.0.113.9]:80',
  '[2001:db8::7',
  '2001:db8::7]:443',
  '[2001:db8::7]443',
  '[[2001:db8::7]]:443',
  '[]:443',
  ':443',
])('returns the address of the connection if a hop is no address: %s', (hop) => {
  const source = sourceReader('127.0.0.1 ::1')
  expect(source('127.0.0.1', hop)).toBe('127.0.0.1')
  expect(source('127.0.0.1', `198.51.100.1, ${hop}`)).toBe('127.0.0.1')
})

test.each(['proxy', '10.0.0.0/33', '10.1', '10.0.0.1, x', '/8', '010.0.0.1'])(
  'rejects %s as list of proxies',
  (text) => expect(() => sourceReader(text)).toThrow('is not an address or range'),
)
