import { expect, test } from 'vitest'
import { portsOf, reachableAt, type ServiceStatus } from './service-row.ts'

type Port = ServiceStatus['ports'][number]

const port = (outside: number | null, inside: number, protocol = 'tcp', ip = '0.0.0.0'): Port => ({
  public: outside,
  private: inside,
  protocol,
  ip: outside === null ? null : ip,
})

test('a port is listed once, whatever addresses it is published on', () => {
  const ports = [port(8080, 80), port(8080, 80, 'tcp', '::'), port(53, 53, 'udp'), port(null, 9)]
  expect(portsOf({ ports })).toEqual(['8080→80', '53/udp'])
})

test('each published port is a link of its own', () => {
  const links = ['http://nas:8080', 'https://nas:8443']
  expect(reachableAt({ ports: [port(8080, 80), port(8443, 8443)], links })).toEqual([
    { text: '8080→80', href: 'http://nas:8080' },
    { text: '8443', href: 'https://nas:8443' },
  ])
})

test('a name comes before the ports, and a port without a link is no link', () => {
  const ports = [port(8080, 80), port(8080, 8080, 'udp')]
  expect(reachableAt({ ports, links: ['https://shop.example/start'] })).toEqual([
    { text: 'shop.example', href: 'https://shop.example/start' },
    { text: '8080→80' },
    { text: '8080/udp' },
  ])
})

test('two names at one port are both shown', () => {
  const links = ['http://nas:8080', 'http://other:8080']
  expect(reachableAt({ ports: [port(8080, 80)], links })).toEqual([
    { text: 'other:8080', href: 'http://other:8080' },
    { text: '8080→80', href: 'http://nas:8080' },
  ])
})

test('nothing is published', () => {
  expect(reachableAt({ ports: [], links: [] })).toEqual([])
})

test.each([
  ['http://192.168.1.20/', 80],
  ['http://[fd00::1]/', 80],
  ['https://nas/', 443],
])('%s is the link of port %i', (href, at) => {
  expect(reachableAt({ ports: [port(at, at)], links: [href] })).toEqual([{ text: `${at}`, href }])
})
