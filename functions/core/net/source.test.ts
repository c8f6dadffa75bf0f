import { expect, test } from 'vitest'
import { sourceReader } from './source.ts'

test('without proxies it is the connection’s own address, whatever a header says', () => {
  const source = sourceReader('')
  expect(source('192.0.2.1', '198.51.100.7')).toBe('192.0.2.1')
  expect(source('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(source('2001:db8::1')).toBe('2001:db8::1')
  expect(source(undefined)).toBe('')
})

test.each([
  ['a proxy is believed', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['so is one of an IPv6 socket', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['and a row of them', '10.0.0.1', '198.51.100.7, 10.0.0.9', '198.51.100.7'],
  ['what a client wrote before is not', '10.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
  ['nor are strangers', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['nor words', '10.0.0.1', 'localhost', '10.0.0.1'],
  ['nor what is no whole address', '10.0.0.1', '127.1', '10.0.0.1'],
  ['nor an octal one', '10.0.0.1', '0177.0.0.1', '10.0.0.1'],
  ['nothing behind a word counts', '10.0.0.1', '198.51.100.7, unknown, 10.0.0.9', '10.0.0.9'],
  ['a proxy that says nothing', '10.0.0.1', '', '10.0.0.1'],
  ['proxies alone', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['IPv6', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['an IPv4 address in IPv6', '10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
])('%s', (_what, peer, forwardedFor, expected) => {
  expect(sourceReader('10.0.0.0/8, fd00::1')(peer, forwardedFor)).toBe(expected)
})

test.each(['proxy', '10.0.0.0/33', '10.1', '10.0.0.1, x', '/8', '010.0.0.1'])(
  '%s is no list of proxies',
  (text) => expect(() => sourceReader(text)).toThrow('is not an address or range'),
)
