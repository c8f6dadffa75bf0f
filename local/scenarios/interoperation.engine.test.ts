import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { findCompose } from '../setup/compose.mjs'

const place = newPlace()
const name = unique('inter')
const directory = join(place.directory, 'stacks', name)
let running: Running
let token: string

const compose = `services:
  db:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    environment: { A: "1", B: "\${B:-two}" }
    volumes: ["data:/data"]
    healthcheck: { test: ["CMD", "true"], interval: 1s }
    labels: { team: shop }
  web:
    image: busybox:latest
    command: ["sleep", "3600"]
    init: true
    stop_grace_period: 1s
    ports: ["127.0.0.1::80"]
    networks: { front: { aliases: [site] }, default: {} }
    deploy: { replicas: 2, resources: { limits: { memory: 64m } } }
  files:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    volumes: ["./conf:/conf"]
    depends_on: [db]
networks:
  front:
volumes:
  data:
`

const dockerCompose = (...args: string[]) =>
  execFileSync(present(findCompose()), args, {
    cwd: directory,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()

/** Returns name → ID of every container of the project. */
const containers = () =>
  Object.fromEntries(
    docker(
      ...['ps', '-a', '--no-trunc', '--filter', `label=com.docker.compose.project=${name}`],
      ...['--format', '{{.Names}} {{.ID}}'],
    )
      .split('\n')
      .map((line) => line.split(' ') as [string, string])
      .sort(),
  )

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await api(running, 'POST', '/stacks', { token, body: { name, compose } })
  const deployed = await api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
  expect(deployed.json).toMatchObject({ status: 'succeeded' })
})

afterAll(async () => {
  await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  await place.remove()
})

test('docker compose lists what we deployed as its own', () => {
  const listed = dockerCompose('ps', '--format', '{{.Name}} {{.State}}').split('\n').sort()
  const names = ['db-1', 'files-1', 'web-1', 'web-2']
  expect(listed).toEqual(names.map((one) => `${name}-${one} running`))
  expect(dockerCompose('ls', '--format', 'json')).toContain(name)
})

test('docker compose up recreates nothing that we deployed', () => {
  const before = containers()
  dockerCompose('up', '-d')
  // Older versions, such as this one, hash dependencies and binds differently from current ones. We
  // use the current form.
  const [one, other] = [before, containers()].map((all) => ({ ...all, [`${name}-files-1`]: '' }))
  expect(other).toEqual(one)
})

test('our deploy recreates nothing that docker compose brought up', async () => {
  dockerCompose('up', '-d', '--force-recreate')
  const before = containers()
  const { json } = await api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
  expect(json).toMatchObject({ status: 'succeeded', steps: [] })
  expect(containers()).toEqual(before)
})

test('docker compose brings up what we stopped, with its volume, and vice versa', async () => {
  docker('exec', `${name}-db-1`, 'sh', '-c', 'echo kept > /data/file')
  await api(running, 'POST', `/stacks/${name}/stop`, { token })
  dockerCompose('up', '-d')
  expect(docker('exec', `${name}-db-1`, 'cat', '/data/file')).toBe('kept')
  dockerCompose('down')
  await api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
  expect(docker('exec', `${name}-db-1`, 'cat', '/data/file')).toBe('kept')
})
