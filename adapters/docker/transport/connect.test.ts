import { expect, onTestFinished, test, vi } from 'vitest'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { dockerEngine } from '../engine.ts'
import { transportFrom } from './connect.ts'

test.each([
  [{}, { socketPath: '/var/run/docker.sock' }],
  [{ DOCKER_HOST: '' }, { socketPath: '/var/run/docker.sock' }],
  [{ DOCKER_HOST: 'unix:///tmp/a.sock' }, { socketPath: '/tmp/a.sock' }],
  [{ DOCKER_HOST: 'tcp://10.0.0.1:2375' }, { host: '10.0.0.1', port: 2375 }],
  [{ DOCKER_HOST: 'tcp://engine' }, { host: 'engine', port: 2375 }],
  [{ DOCKER_HOST: 'tcp://[::1]:99' }, { host: '::1', port: 99 }],
  [
    { DOCKER_HOST: 'tcp://e', DOCKER_TLS_VERIFY: '1' },
    { host: 'e', port: 2376, tls: {} },
  ],
])('%j means %j', (environment, transport) => {
  expect(transportFrom(environment)).toEqual(transport)
})

test('rejects another scheme and names the address', () => {
  for (const address of ['ssh://me@host', 'localhost:2375', 'tcp://']) {
    expect(() => transportFrom({ DOCKER_HOST: address })).toThrow(`DOCKER_HOST: ${address} is`)
  }
})

test('the environment does not override an explicit transport', async () => {
  const { transport } = await loopbackEngine((_, response) => json(response, 200, []))
  vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:1')
  vi.stubEnv('DOCKER_TLS_VERIFY', '1')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const options = { host: 'local', stacksDirectory: '/opt/stacks' }
  const engine = dockerEngine({ ...options, transport })
  expect(await engine.containers({ all: true })).toEqual([])
  const absent = dockerEngine({ ...options, transport: { socketPath: '/tmp/no-engine.sock' } })
  await expect(absent.containers({ all: true })).rejects.toMatchObject({
    cause: { code: 'ENOENT' },
  })
})
