import { expect, test } from 'vitest'
import { cutOffServices } from './cut-off-services.ts'

const container = (service: string | null, dependsOn?: string, more = {}) => ({
  service,
  labels: {
    ...(dependsOn !== undefined && { 'com.docker.compose.depends_on': dependsOn }),
    'com.docker.compose.oneoff': 'False',
    ...more,
  },
})

const containers = [
  container('vpn', ''),
  container('torrent', 'db:service_healthy:false,vpn:service_started:true'),
  container('torrent', 'db:service_healthy:false,vpn:service_started:true'),
  container('probe', 'torrent:service_started:true'),
  container('web', 'db:service_healthy:false'),
  container('old', 'vpn'),
  container('db'),
  container(null, 'vpn:service_started:true'),
  container('shell', 'vpn:service_started:true', { 'com.docker.compose.oneoff': 'True' }),
]

test.each([
  [['vpn'], ['probe', 'torrent']],
  [['vpn', 'torrent'], ['probe']],
  [['db'], []],
  [[], []],
])('with %j also %j are deployed', (services, expected) => {
  expect(cutOffServices(services, containers)).toEqual(expected)
})

test('services that depend on each other are found once', () => {
  const circle = [container('a', 'b:x:true'), container('b', 'a:x:true')]
  expect(cutOffServices(['a'], circle)).toEqual(['b'])
})
