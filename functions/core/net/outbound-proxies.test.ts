import { expect, test } from 'vitest'
import { parseOutboundProxies, proxyFor } from './outbound-proxies.ts'

const both = { HTTP_PROXY: 'http://plain.lan:3128', HTTPS_PROXY: 'http://secure.lan:3128' }

/** Returns the proxy's host for a URL, or `direct`. */
const through = (env: Record<string, string>, address: string) => {
  const { protocol, hostname, port } = new URL(address)
  const isTls = protocol === 'https:'
  const to = { isTls, host: hostname, port: Number(port || (isTls ? 443 : 80)) }
  return proxyFor(parseOutboundProxies(env), to)?.hostname ?? 'direct'
}

test('chooses the proxy by the scheme of the request', () => {
  expect(through(both, 'https://example.org')).toBe('secure.lan')
  expect(through(both, 'http://example.org')).toBe('plain.lan')
  expect(through({ HTTPS_PROXY: 'secure.lan:3128' }, 'http://example.org')).toBe('direct')
  expect(through({}, 'https://example.org')).toBe('direct')
})

test('a name in lowercase counts first, and an empty one not at all', () => {
  const env = { ...both, https_proxy: 'http://lower.lan:1', http_proxy: '' }
  expect(through(env, 'https://example.org')).toBe('lower.lan')
  expect(through(env, 'http://example.org')).toBe('plain.lan')
})

test.each([
  ['*', 'https://example.org', 'direct'],
  ['lan', 'https://nas.lan', 'direct'],
  ['.lan', 'https://nas.lan', 'direct'],
  ['*.lan', 'https://NAS.lan.', 'direct'],
  ['nas.lan', 'https://other.lan', 'secure.lan'],
  ['as.lan', 'https://nas.lan', 'secure.lan'],
  ['nas.lan:9000', 'https://nas.lan:9000', 'direct'],
  ['nas.lan:9000', 'https://nas.lan', 'secure.lan'],
  ['10.0.0.0/8, fd00::/8', 'https://10.1.2.3', 'direct'],
  ['10.0.0.0/8 fd00::/8', 'https://[fd00::5]:9000', 'direct'],
  ['10.0.0.0/8', 'https://11.1.2.3', 'secure.lan'],
  ['10.1.2.3:443', 'https://10.1.2.3', 'direct'],
  ['[fd00::5]:9000', 'https://[fd00::5]:9000', 'direct'],
  ['fd00::5', 'https://[fd00::6]', 'secure.lan'],
])('NO_PROXY=%s takes %s to %s', (NO_PROXY, address, expected) => {
  expect(through({ ...both, NO_PROXY }, address)).toBe(expected)
})

test('this machine is reached directly', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    expect(through(both, `https://${host}:9000`), host).toBe('direct')
  }
})

test.each([
  ['HTTPS_PROXY', 'socks5://proxy.lan:1080', 'HTTPS_PROXY: expected http://host:port'],
  ['HTTP_PROXY', 'http://', 'HTTP_PROXY: expected http://host:port'],
  ['HTTPS_PROXY', 'http://me:secret@', 'HTTPS_PROXY: expected http://host:port'],
  ['https_proxy', 'http://me:50%@proxy.lan', 'HTTPS_PROXY: write a % in the user name or password'],
])('%s=%s is refused without showing the password', (name, value, message) => {
  const parse = () => parseOutboundProxies({ [name]: value })
  expect(parse).toThrow(message)
  expect(parse).not.toThrow('secret')
})
