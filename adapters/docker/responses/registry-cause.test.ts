import { expect, test } from 'vitest'
import { knownMessage } from './engine-messages.ts'

const get = 'Get "https://registry.example/v2/": '
const unknown = 'the registry cannot be reached, or the server is not a registry'

test.each([
  ['dial tcp: lookup registry.example: no such host', 'host name not found'],
  ['dial tcp: lookup registry.example on 127.0.0.53:53: no such host', 'host name not found'],
  [
    'dial tcp: lookup registry.example on 10.0.0.1:53: read udp 10.0.0.2:4->10.0.0.1:53: i/o timeout',
    'the host name could not be resolved right now',
  ],
  ['dial tcp 93.184.216.34:443: connect: connection refused', 'connection refused'],
  ['dial tcp 192.168.1.20:5000: connect: connection refused', 'connection refused'],
  ['dial tcp [2001:db8::7]:443: connect: no route to host', undefined],
  ['dial tcp [2a00:1450::7]:443: connect: no route to host', 'host unreachable'],
  ['dial tcp 192.168.1.20:443: connect: network is unreachable', 'network unreachable'],
  ['dial tcp 192.168.1.20:443: i/o timeout', 'no response in time'],
  ['x509: certificate signed by unknown authority', 'its certificate is not trusted'],
  [
    'tls: failed to verify certificate: x509: certificate has expired or is not yet valid: …',
    'its certificate is not valid now',
  ],
  [
    'tls: failed to verify certificate: x509: certificate is valid for nas, not registry.example',
    'its certificate is for another name',
  ],
  ["x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs", 'name'],
  ['http: server gave HTTP response to HTTPS client', undefined],
])('a registry that cannot be reached: %s', (theirs, cause) => {
  const text = knownMessage(get + theirs)
  if (cause === undefined) expect(text).toBe(unknown)
  else expect(text).toMatch(new RegExp(`^the registry cannot be reached: .*${cause}$`))
})

test.each([
  '127.0.0.1:22',
  '127.9.9.9:80',
  '[::1]:6379',
  '[::ffff:127.0.0.1]:22',
  '0.0.0.0:22',
  '169.254.169.254:80',
  '100.100.100.200:80',
  '[fe80::1]:22',
])('whether something listens at %s is not said', (address) => {
  const refused = `dial tcp ${address}: connect: connection refused`
  const timeout = `dial tcp ${address}: i/o timeout`
  const first = `dial tcp 192.168.1.20:5000: connect: connection refused; ${timeout}`
  for (const one of [refused, timeout, first, `proxyconnect tcp: ${refused}`]) {
    expect(knownMessage(get + one)).toBe(unknown)
  }
})

test('a registry that rejects the credentials, or requires some, is reached', () => {
  const text = knownMessage(`${get}unauthorized: authentication required`)
  expect(text).toBe('unauthorized: the registry rejected the credentials, or requires some')
})
