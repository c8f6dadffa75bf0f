import { expect, test } from 'vitest'
import { publishedPorts } from './published-ports.ts'

const port = (inside: number, outside: number | null, ip: string | null = '0.0.0.0') => ({
  private: inside,
  public: outside,
  protocol: 'tcp',
  ip,
})
const hrefs = (one: ReturnType<typeof port>, address: string | null = 'nas.lan') =>
  publishedPorts([one], address).map(({ href }) => href)

test('each port is there once, though the Engine lists IPv4 and IPv6 apart', () => {
  const listed = [port(80, 8080), port(80, 8080, '::'), port(443, null), port(53, 53)]
  const ports = [...listed, { ...port(53, 53), protocol: 'udp' }]
  expect(publishedPorts(ports).map(({ text }) => text)).toEqual(['8080→80', '53', '53/udp'])
})

test.each([
  ['any port', port(3000, 8081), 'http://nas.lan:8081'],
  ['port 80', port(8080, 80), 'http://nas.lan'],
  ['443 in the container', port(443, 9000), 'https://nas.lan:9000'],
  ['80 in the container, 8443 on the host', port(80, 8443), 'http://nas.lan:8443'],
  ['one address', port(80, 81, '192.168.1.9'), 'http://192.168.1.9:81'],
  ['one IPv6 address', port(80, 81, 'fd00::9'), 'http://[fd00::9]:81'],
  ['loopback', port(80, 81, '127.0.0.1'), undefined],
  ['a database', port(5432, 15_432), undefined],
  ['UDP', { ...port(80, 81), protocol: 'udp' }, undefined],
])('%s leads to where a service reached by it has its link', (_, one, expected) => {
  expect(hrefs(one)).toEqual([expected])
})

test('an unknown address makes no link, an IPv6 address one with brackets', () => {
  expect(hrefs(port(80, 81), null)).toEqual([undefined])
  expect(hrefs(port(80, 81), 'fd00::1')).toEqual(['http://[fd00::1]:81'])
  expect(hrefs(port(80, 81), '[::1]')).toEqual(['http://[::1]:81'])
  expect(hrefs(port(80, 81), 'no host')).toEqual([undefined])
})
