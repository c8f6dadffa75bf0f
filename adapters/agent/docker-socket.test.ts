import { expect, test } from 'vitest'
import { dockerSocket } from './docker-socket.ts'

test.each([
  [{}, { path: '/var/run/docker.sock' }],
  [{ DOCKER_HOST: '' }, { path: '/var/run/docker.sock' }],
  [{ DOCKER_HOST: 'unix:///tmp/a.sock' }, { path: '/tmp/a.sock' }],
  [{ DOCKER_HOST: 'tcp://10.0.0.1' }, { host: '10.0.0.1', port: 2375 }],
  [{ DOCKER_HOST: 'tcp://[::1]:99' }, { host: '::1', port: 99 }],
])('%j means %j', (environment, socket) => {
  expect(dockerSocket(environment)).toEqual(socket)
})

test.each(['ssh://me@host', 'fd://', 'npipe:////./pipe/docker_engine', 'localhost:2375'])(
  '%s is rejected by its name, not used as TCP',
  (address) => {
    expect(() => dockerSocket({ DOCKER_HOST: address })).toThrow(`DOCKER_HOST: ${address} is`)
  },
)

test.each([
  { DOCKER_HOST: 'tcp://engine:2376', DOCKER_TLS_VERIFY: '1' },
  { DOCKER_HOST: 'https://engine:2376' },
])('%j is rejected, because the agent would speak plain TCP', (environment) => {
  expect(() => dockerSocket(environment)).toThrow(`TLS, which ${environment.DOCKER_HOST} needs`)
})
