import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { freePort } from '../harness/free-port.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const stacks: string[] = []
let running: Running
let token: string

const sleeping = 'image: busybox:latest, command: sleep 3600, init: true, stop_grace_period: 0s'

/** Returns the names and states of a stack's containers. */
const containers = (name: string) =>
  docker(
    ...['ps', '-a', '--filter', `label=com.docker.compose.project=${name}`],
    ...['--format', '{{.Names}} {{.State}}'],
  )
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(name.length + 1))
    .sort()

/** Creates or updates a stack, deploys it and returns the deployment. */
async function deployed(name: string, compose: string) {
  const known = stacks.includes(name)
  if (!known) stacks.push(name)
  const [method, path] = known ? ['PUT', `/stacks/${name}`] : ['POST', '/stacks']
  const kept = await api(running, method, path, {
    token,
    body: { ...(known ? {} : { name }), compose },
  })
  expect([200, 201]).toContain(kept.status)
  return (await api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })).json
}

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  for (const name of stacks) await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  await place.remove()
})

test('two services that swap addresses and ports both run after one deploy', async () => {
  const name = unique('swap')
  const compose = (one: number, other: number) => `services:
  a: {${sleeping}, networks: {n: {ipv4_address: 10.252.19.${one}}}, ports: ["127.0.0.1:185${one}:80"]}
  b: {${sleeping}, networks: {n: {ipv4_address: 10.252.19.${other}}}, ports: ["127.0.0.1:185${other}:80"]}
networks: {n: {ipam: {config: [{subnet: 10.252.19.0/24}]}}}
`
  expect(await deployed(name, compose(10, 11))).toMatchObject({ error: null })
  expect(await deployed(name, compose(11, 10))).toMatchObject({ error: null })
  expect(containers(name)).toEqual(['a-1 running', 'b-1 running'])
})

test('a paused container fails the deploy, and the next deploy converges', async () => {
  const name = unique('pause')
  const compose = `services: {a: {${sleeping}}, b: {${sleeping}}}`
  await deployed(name, compose)
  docker('pause', `${name}-a-1`)
  const { status, error } = await deployed(name, compose)
  expect([status, error]).toEqual(['failed', expect.stringMatching(/service a: .* paused/)])
  docker('unpause', `${name}-a-1`)
  expect(await deployed(name, compose)).toMatchObject({ status: 'succeeded', steps: [] })
})

test('an anonymous volume survives a change and is removed with its path', async () => {
  const name = unique('anonymous')
  const compose = (path: string, user: string) =>
    `services: {a: {${sleeping}, user: "${user}", volumes: [/kept${path}]}}`
  const listed = () => docker('exec', `${name}-a-1`, 'sh', '-c', 'ls /kept; ls -d /gone || true')
  await deployed(name, compose(', /gone', '0'))
  docker('exec', `${name}-a-1`, 'touch', '/kept/file')
  await deployed(name, compose(', /gone', '0:0'))
  expect(listed()).toBe('file\n/gone')
  await deployed(name, compose('', '0:0'))
  expect(listed()).toBe('file')
})

test('names a port in use with its service, runs what it can, and the next deploy completes', async () => {
  const name = unique('taken')
  const port = await freePort()
  // A program of the host: that a container has the port is seen before the first step.
  const holder = createServer().listen(port, '127.0.0.1')
  await once(holder, 'listening')
  const compose = `services:
  a: {${sleeping}, ports: ["127.0.0.1:${port}:80"]}
  b: {${sleeping}, depends_on: [a]}
  c: {${sleeping}}
`
  const { status, error } = await deployed(name, compose)
  expect(status).toBe('failed')
  expect(error).toMatch(new RegExp(`service a: start .*127.0.0.1:${port}.*already allocated`))
  expect(containers(name)).toEqual(['a-1 created', 'b-1 created', 'c-1 running'])
  holder.close()
  await once(holder, 'close')
  expect(await deployed(name, compose)).toMatchObject({ status: 'succeeded', error: null })
  expect(containers(name)).toEqual(['a-1 running', 'b-1 running', 'c-1 running'])
})

test('a deploy that needs the port of another container is refused before its first step', async () => {
  const name = unique('held')
  const holder = `${name}-holder`
  docker('run', '-d', '--name', holder, '-p', '127.0.0.1::80', 'busybox:latest', 'sleep', '3600')
  try {
    const port = docker('port', holder, '80').split(':').at(-1)
    const compose = `services: {a: {${sleeping}, ports: ["127.0.0.1:${port}:80"]}}`
    const { error } = await deployed(name, compose)
    expect(error).toContain(`port 127.0.0.1:${port} of the host is taken by container ${holder}`)
    expect(containers(name)).toEqual([])
  } finally {
    docker('rm', '-f', holder)
  }
})

test('a service that was renamed takes name and port of its orphan with remove_orphans', async () => {
  const name = unique('renamed')
  const port = await freePort()
  const compose = (key: string) =>
    `services: {${key}: {${sleeping}, container_name: ${name}-x, ports: ["127.0.0.1:${port}:80"]}}`
  await deployed(name, compose('app'))
  const { error } = await deployed(name, compose('blog'))
  expect(error).toContain(`is taken by container ${name}-x of service app`)
  expect(containers(name)).toEqual(['x running'])
  const body = { remove_orphans: true }
  const { json } = await api(running, 'POST', `/stacks/${name}/deploy`, { token, body })
  expect(json).toMatchObject({ status: 'succeeded', error: null })
  const service = '{{index .Config.Labels "com.docker.compose.service"}}'
  expect(docker('inspect', '-f', service, `${name}-x`)).toBe('blog')
})

test('two services that swap their container names both run after one deploy', async () => {
  const name = unique('names')
  const compose = (one: string, other: string) => `services:
  a: {${sleeping}, container_name: ${name}-${one}}
  b: {${sleeping}, container_name: ${name}-${other}}
`
  await deployed(name, compose('p', 'q'))
  expect(await deployed(name, compose('q', 'p'))).toMatchObject({ error: null })
  expect(containers(name)).toEqual(['p running', 'q running'])
  expect(await deployed(name, compose('q', 'p'))).toMatchObject({ steps: [] })
})

test('a container that was unhealthy when it was stopped is checked again after its start', async () => {
  const name = unique('well')
  const check = 'test: [CMD, test, -e, /kept/well], interval: 300ms, retries: 1'
  const compose = `services:
  a: {${sleeping}, volumes: ["kept:/kept"], healthcheck: {${check}}}
  b: {${sleeping}, depends_on: {a: {condition: service_healthy}}}
volumes: {kept: }
`
  expect(await deployed(name, compose)).toMatchObject({ status: 'failed' })
  docker('stop', '--time', '1', `${name}-a-1`)
  expect(docker('inspect', '-f', '{{.State.Health.Status}}', `${name}-a-1`)).toBe('unhealthy')
  docker('run', '--rm', '-v', `${name}_kept:/kept`, 'busybox:latest', 'touch', '/kept/well')
  expect(await deployed(name, compose)).toMatchObject({ status: 'succeeded', error: null })
  expect(containers(name)).toEqual(['a-1 running', 'b-1 running'])
})

test('a failing health check keeps dependents from starting until it is fixed', async () => {
  const name = unique('sick')
  const compose = (check: string) => `services:
  a: {${sleeping}, healthcheck: {test: [CMD, "${check}"], interval: 200ms, retries: 1}}
  b: {${sleeping}, depends_on: {a: {condition: service_healthy}}}
`
  const { status, error } = await deployed(name, compose('false'))
  expect([status, error]).toEqual(['failed', expect.stringContaining(`${name}-a-1 is unhealthy`)])
  expect(containers(name)).toEqual(['a-1 running', 'b-1 created'])
  expect(await deployed(name, compose('true'))).toMatchObject({ error: null })
  expect(containers(name)).toEqual(['a-1 running', 'b-1 running'])
})
