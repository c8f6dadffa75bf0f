import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { hostInUrl, linkMax, linkUrl, siteUrl } from './link-url.ts'

test.each([
  ['http://a.example', 'http://a.example'],
  ['https://a.example/', 'https://a.example'],
  ['HTTPS://A.example:443/x?y=1#z', 'https://a.example/x?y=1#z'],
  ['http://192.168.1.20:8096/web', 'http://192.168.1.20:8096/web'],
  ['http://[fd00::1]:81', 'http://[fd00::1]:81'],
  ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ['http://a.example//evil.example', 'http://a.example//evil.example'],
])('accepts %s', (text, link) => expect(linkUrl(text)).toBe(link))

test.each([
  '',
  'a.example',
  '//a.example',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'ftp://a.example',
  'file:///etc/passwd',
  'http:a.example',
  'http:///a.example',
  'http://',
  'http://user@a.example',
  'http://:word@a.example',
  'https://good.example@evil.example',
  'https://good.example\\@evil.example',
  'http://a.example/\u001b[31m',
  'http://a.ex\u00adample',
  'http://a.example/\u202egnp.exe',
  'http://a.example/\u0000',
  ' http://a.example',
  'http://a.example:99999',
  'http://a b.example',
  'http://%00.example',
])('refuses %j', (text) => expect(linkUrl(text)).toBeUndefined())

test('refuses a long URL, also one that encoding makes long', () => {
  const base = 'http://a.example/'
  expect(linkUrl(base + 'a'.repeat(linkMax - base.length))).toHaveLength(linkMax)
  expect(linkUrl(base + 'a'.repeat(linkMax - base.length + 1))).toBeUndefined()
  expect(linkUrl(base + 'ü'.repeat(linkMax / 2))).toBeUndefined()
})

test.each(['a', 'a-b.example', 'a.example.', '10.0.0.1', '::1', '[fd00::1]', 'my_host'])(
  '%s is a host',
  (host) => expect(hostInUrl(host)).toBeDefined(),
)

test.each([
  ...[
    '',
    '.',
    'a..b',
    'a b',
    'a/b',
    'a@b',
    'a:80',
    'a?b',
    'a#b',
    '[a]',
    '[::1',
    '1.2.3.4.5',
    '*.a',
  ],
  ...['a%2fb', '$' + '{HOST}', '{{host}}', '::g', 'a'.repeat(254)],
])('%j is no host', (host) => expect(hostInUrl(host)).toBeUndefined())

test('a link is always a plain http or https URL, whatever the parts are', () => {
  const part = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.webUrl(), fc.domain())
  const scheme = fc.constantFrom('http', 'https')
  const port = fc.option(fc.integer({ min: -1, max: 70_000 }), { nil: undefined })
  fc.assert(
    fc.property(part, part, scheme, port, (host, path, kind, number) => {
      const links = [linkUrl(host), siteUrl({ scheme: kind, host, path: `/${path}`, port: number })]
      for (const link of links) if (link !== undefined) expectPlain(link)
    }),
    { numRuns: 500 },
  )
})

function expectPlain(link: string): void {
  expect(link).toMatch(/^https?:\/\/[\x21-\x7e]+$/)
  expect(link.length).toBeLessThanOrEqual(linkMax)
  expect(linkUrl(link)).toBe(link)
  const { username, password, protocol } = new URL(link)
  expect([username, password]).toEqual(['', ''])
  expect(['http:', 'https:']).toContain(protocol)
}
