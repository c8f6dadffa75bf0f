import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { addressProblem } from './addresses.ts'
import { dialProblem, hostProblem, parseOutboundRules } from './outbound-rules.ts'

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['0.0.0.0', 'this machine'],
  ['0.1.2.3', 'this machine'],
  ['169.254.169.254', 'link-local'],
  ['169.254.170.2', 'link-local'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'special use'],
  ['192.0.0.192', 'special use'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::', 'this machine'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'one network link'],
  ['fd00::1%lo', 'one network link'],
  ['fec0::1', 'special use'],
  ['ff02::1', 'multicast'],
  ['fd00:ec2::254', 'metadata'],
  ['fd00:0ec2:0:0::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['::ffff:127.0.0.1', 'IPv4'],
  ['::ffff:a9fe:a9fe', 'IPv4'],
  ['::ffff:8.8.8.8', 'IPv4'],
  ['::127.0.0.1', 'IPv4'],
  ['::7f00:1', 'special use'],
  ['::ffff:0:7f00:1', 'IPv4'],
  ['64:ff9b::a9fe:a9fe', 'IPv4'],
  ['64:ff9b:1::7f00:1', 'IPv4'],
  ['2002:7f00:1::', 'IPv4'],
  ['2001:0:7f00:1::', 'IPv4'],
  ['100::1', 'special use'],
  ['4000::1', 'special use'],
  ['2001:db8::1', 'special use'],
  ['0x7f000001', 'not an address'],
  ['2130706433', 'not an address'],
  ['0177.0.0.1', 'not an address'],
  ['010.0.0.1', 'not an address'],
  ['127.1', 'not an address'],
  ['', 'not an address'],
])('blocks %s: %s', (address, why) => {
  expect(addressProblem(address)).toContain(why)
})

test.each([
  ...['10.0.0.1', '172.16.0.1', '192.168.1.2', '100.64.0.1', '8.8.8.8', '172.32.0.1', '128.0.0.1'],
  ...['fd12:3456::1', 'fc00::1', '2606:4700::1111', '2a00:1450::1'],
])('allows %s', (address) => {
  expect(addressProblem(address)).toBeUndefined()
})

test('blocks every IPv4 address embedded in an IPv6 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '64:ff9b::'), (address, prefix) => {
      expect(addressProblem(prefix + address)).toBeDefined()
    }),
  )
})

test.each([
  ['127.0.0.1', '127.0.0.1', 5000, true],
  ['127.0.0.1', '127.0.0.2', 5000, false],
  ['127.0.0.1:5000', '127.0.0.1', 5000, true],
  ['127.0.0.1:5000', '127.0.0.1', 8000, false],
  ['[::1]:5000', '::1', 5000, true],
  ['[::1]:5000', '::1', 5001, false],
  ['::1', '[::1]', 1, true],
  ['127.0.0.0/8', '127.9.9.9', 1, true],
  ['::ffff:0:0/96', '::ffff:127.0.0.1', 1, true],
  ['127.0.0.1', '::ffff:127.0.0.1', 1, false],
  ['169.254.0.0/16, ::1', '169.254.169.254', 80, true],
  ['localhost', 'LOCALHOST.', 80, true],
  ['localhost:81', 'localhost', 80, false],
  ['localhost', 'other.localhost', 80, false],
  ['0.0.0.0/0 ::/0', 'fe80::1', 80, true],
  ['', 'a.localhost', 80, false],
])('%j allows %s (port %i): %s', (text, host, port, whether) => {
  const rules = parseOutboundRules(text)
  expect(hostProblem(rules, host, port) === undefined).toBe(whether)
})

test('an allowed name may resolve to any address; other names are checked by address', () => {
  const rules = parseOutboundRules('nas.lan:9000')
  expect(dialProblem(rules, 'NAS.lan.', '127.0.0.1', 9000)).toBeUndefined()
  expect(dialProblem(rules, 'nas.lan', '127.0.0.1', 9001)).toContain(
    'nas.lan resolves to a loopback',
  )
  expect(dialProblem(rules, 'evil.example', '127.0.0.1', 9000)).toContain(
    'evil.example resolves to',
  )
  expect(dialProblem(rules, 'evil.example', '192.168.1.1', 80)).toBeUndefined()
})

test.each([
  '127.0.0.1:0',
  '127.0.0.1:70000',
  'a b:c',
  '[::1',
  '300.1.1.1/8',
  'http://a',
  'a_b..c',
  '-a',
  'a,*.lan',
])('rejects %j and names the invalid part', (text) => {
  expect(() => parseOutboundRules(text)).toThrow('is not an address, range or name')
})
