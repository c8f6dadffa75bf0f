import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import type { Port } from '../../compose/snapshot.ts'
import { containerLinks, linksMax } from './container-links.ts'
import { linkUrl } from './link-url.ts'

const port = (inside: number, outside: number | null, ip: string | null = '0.0.0.0'): Port => ({
  private: inside,
  public: outside,
  protocol: 'tcp',
  ip,
})
const links = (
  ports: Port[],
  labels: Record<string, string> = {},
  address: string | null = 'nas.lan',
) => containerLinks({ ports, labels, address })
const rule = (text: string, more: Record<string, string> = {}) =>
  links([], { 'traefik.http.routers.web.rule': text, ...more })
const tls = { 'traefik.http.routers.web.tls': 'true' }

test.each<[what: string, port: Port, expected: string[]]>([
  ['any port', port(3000, 8081), ['http://nas.lan:8081']],
  ['port 80', port(8080, 80), ['http://nas.lan']],
  ['port 443', port(8443, 443), ['https://nas.lan']],
  ['443 in the container', port(443, 9000), ['https://nas.lan:9000']],
  ['8443 in the container', port(8443, 9443), ['https://nas.lan:9443']],
  ['8443 on the host', port(3000, 8443), ['https://nas.lan:8443']],
  ['80 in the container, 8443 on the host', port(80, 8443), ['http://nas.lan:8443']],
  ['every IPv6 address', port(80, 81, '::'), ['http://nas.lan:81']],
  ['one address', port(80, 81, '192.168.1.9'), ['http://192.168.1.9:81']],
  ['one IPv6 address', port(80, 81, 'fd00::9'), ['http://[fd00::9]:81']],
  ['loopback', port(80, 81, '127.0.0.1'), []],
  ['another loopback address', port(80, 81, '127.1.2.3'), []],
  ['IPv6 loopback', port(80, 81, '::1'), []],
  ['link-local', port(80, 81, 'fe80::1'), []],
  ['not published', port(80, null, null), []],
  ['UDP', { ...port(80, 81), protocol: 'udp' }, []],
  ['SCTP', { ...port(80, 81), protocol: 'sctp' }, []],
  ['a database', port(5432, 15_432), []],
  ['SSH', port(22, 2222), []],
])('published: %s', (_, published, expected) => expect(links([published])).toEqual(expected))

test('published on IPv4 and IPv6: one link', () => {
  expect(links([port(80, 81), port(80, 81, '::')])).toEqual(['http://nas.lan:81'])
})

test('the address of the host can be IPv6, or unknown', () => {
  expect(links([port(80, 81)], {}, '[fd00::1]')).toEqual(['http://[fd00::1]:81'])
  expect(links([port(80, 81)], {}, 'fd00::1')).toEqual(['http://[fd00::1]:81'])
  expect(links([port(80, 81), port(81, 82, '10.0.0.2')], {}, null)).toEqual(['http://10.0.0.2:82'])
})

test.each<[rule: string, expected: string[]]>([
  ['Host(`a.example`)', ['http://a.example']],
  ['Host(`a.example`) || Host(`b.example`)', ['http://a.example', 'http://b.example']],
  ['Host(`a.example`, `b.example`)', ['http://a.example', 'http://b.example']],
  ['Host(`a.example`,)', ['http://a.example']],
  ['Host("A.example")', ['http://a.example']],
  ['host(`a.example`)&&pathprefix(`/api`)', ['http://a.example/api']],
  ['PathPrefix(`/api`) && Host(`a.example`)', ['http://a.example/api']],
  ['Host(`a.example`) && (Path(`/x`) || Path(`/y`))', ['http://a.example/x', 'http://a.example/y']],
  [
    '(Host(`a.example`) || Host(`b.example`)) && PathPrefix(`/x`)',
    ['http://a.example/x', 'http://b.example/x'],
  ],
  [
    'Host(`a.example`) || Host(`b.example`) && Path(`/x`)',
    ['http://a.example', 'http://b.example/x'],
  ],
  ['Host(`a.example`) && PathPrefix(`/x`) && PathPrefix(`/x/y`)', ['http://a.example/x/y']],
  ['Host(`a.example`) && PathPrefix(`/x`) && Path(`/y`)', []],
  ['Host(`a.example`) && Host(`b.example`)', []],
  ['Host(`a.example`) && !PathPrefix(`/x`)', ['http://a.example']],
  ['!Host(`a.example`)', []],
  ['Host(`a.example`) && Headers(`X`, `y`)', ['http://a.example']],
  ['Host(`a.example`) && Path(`/{id:[0-9]+}`)', ['http://a.example']],
  ['Host(`a.example`) && PathPrefix(`/x/y{id}`)', ['http://a.example/x/']],
  ['HostRegexp(`{any:.+}`)', []],
  ['PathPrefix(`/api`)', []],
  ['Host(`a.example/path`)', []],
  ['Host(`user@evil.example`)', []],
  ['Host(`a.example`) && Path(`x`)', []],
  ['Host(`${HOST}`)', []],
  ['Host(`a.example`', []],
  ['Host(a.example)', []],
  ['Host(`a.example`) Host(`b.example`)', []],
  ['Host(`a.example`) ||', []],
  ['Host(`a.example', []],
  [`${'('.repeat(5000)}`, []],
  [`${'('.repeat(500)}Host(\`a.example\`)${')'.repeat(500)}`, []],
  ['', []],
])('Traefik rule %s', (text, expected) => expect(rule(text)).toEqual(expected))

const alternatives = (name: string) =>
  `(${Array.from({ length: 40 }, (_, at) => `${name}(\`/${at}\`)`).join('||')})`

test('Traefik: a rule with too many alternatives has no links', () => {
  expect(rule(`Host(\`a.example\`) && ${alternatives('Path')} && ${alternatives('Path')}`)).toEqual(
    [],
  )
})

test.each<[what: string, labels: Record<string, string>, expected: string]>([
  ['tls', tls, 'https'],
  ['tls: false', { 'traefik.http.routers.web.tls': 'false' }, 'http'],
  ['a resolver', { 'traefik.http.routers.web.tls.certresolver': 'le' }, 'https'],
  ['the entry point websecure', { 'traefik.http.routers.web.entrypoints': 'websecure' }, 'https'],
  ['both', { 'traefik.http.routers.web.entrypoints': 'web, websecure' }, 'https'],
  ['the entry point web', { 'traefik.http.routers.web.entryPoints': 'web' }, 'http'],
  ['upper case', { 'Traefik.HTTP.routers.web.TLS': 'TRUE' }, 'https'],
  ['tls of another router', { 'traefik.http.routers.other.tls': 'true' }, 'http'],
])('Traefik: the scheme with %s', (_, labels, scheme) => {
  expect(rule('Host(`a.example`)', labels)).toEqual([`${scheme}://a.example`])
})

test('Traefik: a router that redirects to https adds no link', () => {
  const plain = { 'traefik.http.routers.plain.rule': 'Host(`a.example`)' }
  expect(rule('Host(`a.example`)', { ...tls, ...plain })).toEqual(['https://a.example'])
})

test('Traefik: a container that it ignores has no such links', () => {
  expect(rule('Host(`a.example`)', { 'traefik.enable': 'false' })).toEqual([])
  expect(rule('Host(`a.example`)', { 'traefik.enable': 'true' })).toEqual(['http://a.example'])
})

test('Traefik: routers of TCP have no links', () => {
  expect(links([], { 'traefik.tcp.routers.db.rule': 'HostSNI(`a.example`)' })).toEqual([])
})

test.each<[address: string, expected: string[]]>([
  ['a.example', ['https://a.example']],
  ['a.example b.example', ['https://a.example', 'https://b.example']],
  ['a.example, http://b.example', ['https://a.example', 'http://b.example']],
  ['https://a.example:8443', ['https://a.example:8443']],
  ['a.example:80', ['http://a.example']],
  ['a.example:8080', ['https://a.example:8080']],
  ['http://192.168.1.2', ['http://192.168.1.2']],
  ['[fd00::1]:81', ['https://[fd00::1]:81']],
  ['a.example/app', ['https://a.example/app']],
  [':80', []],
  ['*.a.example', []],
  ['(snippet)', []],
  ['{$DOMAIN}', []],
  ['user@a.example', []],
  ['javascript:alert(1)', []],
  ['', []],
])('Caddy site %s', (address, expected) => {
  expect(links([], { caddy: address })).toEqual(expected)
})

test('Caddy: several sites, and labels that define none', () => {
  const labels = { caddy_1: 'b.example', caddy_0: 'a.example', 'caddy_0.reverse_proxy': '80' }
  expect(links([], { ...labels, caddy_ingress_network: 'proxy.example' })).toEqual([
    'https://a.example',
    'https://b.example',
  ])
})

test.each<[label: string, expected: string[]]>([
  ['https://a.example/admin', ['https://a.example/admin']],
  ['https://a.example http://b.example', ['https://a.example', 'http://b.example']],
  ['https://a.example, https://b.example', ['https://a.example', 'https://b.example']],
  ['https://a.example,https://b.example', ['https://a.example', 'https://b.example']],
  ['https://a.example/x,y', ['https://a.example/x,y']],
  ['javascript:alert(1) https://a.example', ['https://a.example']],
  ['https://user:word@a.example', []],
  ['a.example', []],
  ['', []],
])('container-stacks.url %s replaces other links', (label, expected) => {
  const labels = { 'container-stacks.url': label, caddy: 'c.example' }
  expect(links([port(80, 81)], labels)).toEqual(expected)
})

test('sites of proxies come before published ports; equal links are one', () => {
  const labels = { caddy: 'a.example', 'traefik.http.routers.web.rule': 'Host(`b.example`)' }
  expect(links([port(80, 81)], labels)).toEqual([
    'http://b.example',
    'https://a.example',
    'http://nas.lan:81',
  ])
  expect(links([port(80, 80)], { caddy: 'http://nas.lan' })).toEqual(['http://nas.lan'])
})

test('has a limited number of links', () => {
  const many = Array.from({ length: 2000 }, (_, at) => at + 3000)
  expect(links(many.map((number) => port(number, number)))).toHaveLength(linksMax)
  const texts = many.map((number) => `http://a.example:${number}`)
  expect(links([], { 'container-stacks.url': texts.join(' ') })).toHaveLength(linksMax)
  expect(links([], { caddy: texts.join(' ') })).toHaveLength(linksMax)
})

test('takes time in proportion to the length of labels, else this does not end', () => {
  for (const piece of [',', ' ', '`', '(', 'Host(`a`)||', 'http://', '{', '"\'', '/*', '@']) {
    const text = piece.repeat(1_000_000 / piece.length)
    links([], { 'container-stacks.url': text })
    links([], { caddy: text, 'traefik.http.routers.web.rule': text })
    rule(piece.repeat(4000 / piece.length))
  }
  expect(links([], { caddy: `${' '.repeat(1_000_000)}a.example` })).toEqual(['https://a.example'])
})

test('links are plain URLs, whatever the labels are', () => {
  const word = fc.constantFrom(
    ...['Host', 'Path', '(', ')', '`', '`a.example`', '&&', '||', '!', ',', 'https://', '@', '\\'],
    ...['javascript:', 'x.example', ':', '80', '/', '//', '\u0000', '\u202e', '{', ' ', '?', '#'],
  )
  const text = fc.oneof(
    fc.array(word).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  )
  const key = fc.constantFrom(
    ...['container-stacks.url', 'caddy', 'caddy_0', 'traefik.http.routers.web.rule'],
    ...['traefik.http.routers.web.tls', 'traefik.http.routers.__proto__.rule', '__proto__'],
  )
  let found = 0
  fc.assert(
    fc.property(fc.dictionary(key, text), (labels) => {
      for (const link of links([port(80, 81)], labels)) {
        found += 1
        expect(linkUrl(link)).toBe(link)
      }
    }),
    { numRuns: 500 },
  )
  expect(found).toBeGreaterThan(100)
})
