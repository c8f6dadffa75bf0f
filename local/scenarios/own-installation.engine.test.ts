import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../harness/docker.ts'
import { freePort } from '../harness/free-port.ts'
import { builtProgram, runInContainer, runStoreInContainer } from '../harness/host-programs.ts'
import type { Json } from '../harness/json.ts'
import { api, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

/**
 * A service, its store and an agent in containers. An operator, who may not leave the directory of
 * a stack, tries to become an admin or root on the host by way of them.
 */
const project = unique('own')
const folder = mkdtempSync(join(tmpdir(), `${project}-`))
const port = await freePort()
const service = { url: `http://127.0.0.1:${port}` }
const socket = '/var/run/docker.sock'
const password = 'a-password-of-this-test'
const nameOf = (part: string) => `${project}-${part}`
const volume = (part: string) => [`--volume=${nameOf(part)}:/data`]
const engine = [`--volume=${socket}:${socket}`, `--group-add=${statSync(socket).gid}`]
const label = `com.docker.compose.project=${project}`
const refused = [409, 'own-installation']

let admin: string
let operator: string
let viewer: string
/** The ID of the host behind the agent, which has the same Engine. */
let far: string

const ask = async (token: string, method: string, path: string, body?: unknown) => {
  const { status, headers, json } = await api(service, method, path, { token, body })
  return { status, reason: headers.get('x-error-reason'), json }
}

beforeAll(async () => {
  for (const network of ['store', 'front'])
    docker('network', 'create', ...(network === 'store' ? ['--label', label] : []), nameOf(network))
  const named = (part: string) => ['--name', nameOf(part), '--label', label]
  await runStoreInContainer([
    ...named('store'),
    ...volume('records'),
    `--network=${nameOf('store')}`,
    '--network-alias=store',
  ])
  const environment = {
    SERVICE_DATA_DIR: '/data',
    SERVICE_PORT: '8080',
    SERVICE_AGENT_PORT: '8443',
    SERVICE_AGENT_ENDPOINT: 'stacks:8443',
    SERVICE_BASE_URL: 'http://stacks:8080',
    SERVICE_STACKS_DIR: join(folder, 'stacks'),
    SERVICE_STORE: 'dynamodb',
    SERVICE_DYNAMODB_ENDPOINT: 'http://store:8000',
    AWS_ACCESS_KEY_ID: project,
    AWS_SECRET_ACCESS_KEY: project,
  }
  const variables = Object.entries(environment).map(([key, value]) => `--env=${key}=${value}`)
  const options = [...named('service'), ...volume('keys'), ...engine, ...variables]
  const front = [`--network=${nameOf('front')}`, '--network-alias=stacks']
  runInContainer(
    // It starts again until the store answers.
    ['--restart=on-failure', ...options, ...front, `--publish=127.0.0.1:${port}:8080`],
    ['sh', '-c', `sleep 2; exec ${builtProgram('service.js').join(' ')}`],
  )
  docker('network', 'connect', nameOf('store'), nameOf('service'))
  await untilHealthy()
  const secret = docker('exec', nameOf('service'), 'cat', '/data/setup-secret')
  const first = { username: 'admin', password, secret }
  expect((await api(service, 'POST', '/setup', { body: first })).status).toBe(201)
  admin = await logIn('admin')
  for (const role of ['operator', 'viewer']) {
    const made = await ask(admin, 'POST', '/users', { username: role, password, role })
    expect(made.status, made.json?.error).toBe(201)
  }
  operator = await logIn('operator')
  viewer = await logIn('viewer')
  far = await startAgent()
})

afterAll(() => {
  const containers = docker('ps', '--all', '--quiet', '--filter', `name=${project}`).split('\n')
  docker('rm', '--force', '--volumes', ...containers.filter(Boolean))
  for (const part of ['keys', 'records', 'agent']) docker('volume', 'rm', '--force', nameOf(part))
  for (const network of ['store', 'front']) docker('network', 'rm', nameOf(network))
  rmSync(folder, { recursive: true, force: true })
})

const untilHealthy = () =>
  until(
    () => fetch(`${service.url}/api/v1/health`).catch(() => undefined),
    (answer) => answer?.status === 200,
  )

async function logIn(username: string): Promise<string> {
  const { json } = await api(service, 'POST', '/auth/login', { body: { username, password } })
  return json.access_token
}

/** Starts an agent in a container. Returns the ID of its host, which is online. */
async function startAgent(): Promise<string> {
  const { json } = await ask(admin, 'POST', '/hosts', { name: 'far' })
  const token = json.enrolment.token
  const variables = ['--env=AGENT_SERVER=http://stacks:8080', `--env=AGENT_TOKEN=${token}`]
  runInContainer(
    [
      ...['--name', nameOf('agent'), `--network=${nameOf('front')}`, '--env=AGENT_DATA_DIR=/data'],
      ...[...volume('agent'), ...engine, ...variables],
    ],
    builtProgram('agent.js', 'run'),
  )
  const status = async () => (await ask(admin, 'GET', `/hosts/${json.host.id}`)).json.status
  await expect.poll(status).toBe('online')
  return json.host.id
}

const deploy = async (name: string, compose: string, token = operator) => {
  const created = await ask(token, 'POST', '/stacks', { name: nameOf(name), compose })
  expect(created.status, created.json?.error).toBe(201)
  return ask(token, 'POST', `/stacks/${nameOf(name)}/deploy`, {})
}
const app = (more: string) =>
  `services:\n  app:\n    image: busybox\n    init: true\n    command: sleep 600\n${more}`

test('lists the service, its store and its agent as its own, on each host', async () => {
  for (const host of ['local', far]) {
    const { json } = await ask(viewer, 'GET', `/containers?host=${host}`)
    const own = json.filter(({ owner }: Json) => owner === 'installation')
    const names = own
      .map(({ name }: Json) => name)
      .filter((name: string) => name.startsWith(project))
    expect(names).toEqual(['agent', 'service', 'store'].map(nameOf))
  }
})

test('409: an operator, or an admin, joins the network of the store', async () => {
  const text = app(
    `    networks: [s]\nnetworks:\n  s:\n    external: true\n    name: ${nameOf('store')}\n`,
  )
  const { status, reason, json } = await deploy('joins', text)
  expect([status, reason], json?.error).toEqual(refused)
  expect(json.error).toContain('compose.yaml')
  const again = await ask(admin, 'POST', `/stacks/${nameOf('joins')}/deploy`, {})
  expect([again.status, again.reason]).toEqual(refused)
})

test('409: an operator mounts the keys of the service or the records of the store', async () => {
  for (const part of ['keys', 'records']) {
    const text = app(
      `    volumes: ["data:/v"]\nvolumes:\n  data:\n    external: true\n    name: ${nameOf(part)}\n`,
    )
    const { status, reason } = await deploy(`mounts-${part}`, text)
    expect([status, reason]).toEqual(refused)
  }
})

test('a stack joins a network that the service joined, and takes none of its names', async () => {
  const joined = (alias: string) =>
    app(
      `    networks:\n      f:\n        aliases: [${alias}]\nnetworks:\n  f:\n    external: true\n    name: ${nameOf('front')}\n`,
    )
  const free = await deploy('free', joined('shop'))
  expect([free.status, free.json.status, free.json.error]).toEqual([200, 'succeeded', null])
  const taken = await deploy('taken', joined('stacks'))
  expect([taken.status, taken.reason], taken.json?.error).toEqual(refused)
  expect(docker('ps', '--all', '--quiet', '--filter', `name=${nameOf('taken')}`)).toBe('')
})

test.each(['service', 'store', 'agent'])('409: no account enters or stops the %s', async (part) => {
  const at = `/containers/${nameOf(part)}`
  for (const token of [operator, admin]) {
    for (const host of ['local', far]) {
      const calls = [
        ask(token, 'GET', `${at}/archive?path=/data&host=${host}`),
        ask(token, 'PUT', `${at}/archive?path=/tmp&host=${host}`, { data: 'AAAA' }),
        ask(token, 'POST', `${at}/stop?host=${host}`),
        ask(token, 'POST', `${at}/kill?host=${host}`),
        ask(token, 'DELETE', `${at}?force=true&host=${host}`),
      ]
      for (const call of calls) {
        const { status, reason, json } = await call
        // The second is refused for its archive on some ways, before the Engine is asked.
        if (status === 422) continue
        expect([status, reason], json?.error).toEqual(refused)
      }
    }
  }
  expect(docker('inspect', '--format', '{{.State.Running}}', nameOf(part))).toBe('true')
})

test.each(['service', 'store', 'agent'])('shows no secret of the %s', async (part) => {
  for (const host of ['local', far]) {
    const at = `/containers/${nameOf(part)}`
    for (const token of [operator, viewer]) {
      expect((await ask(token, 'GET', `${at}?host=${host}`)).status).toBe(403)
      expect((await ask(token, 'GET', `${at}/logs?host=${host}`)).status).toBe(403)
    }
    const { status, json } = await ask(admin, 'GET', `${at}?host=${host}`)
    expect(status).toBe(200)
    expect(json.env.filter((line: string) => line.includes('='))).toEqual([])
    expect((await ask(admin, 'GET', `${at}/logs?host=${host}`)).status).toBe(200)
  }
})

test('409: the agent stays protected while it is away', async () => {
  docker('stop', '--time', '2', nameOf('agent'))
  const status = async () => (await ask(admin, 'GET', `/hosts/${far}`)).json.status
  await expect.poll(status).toBe('offline')
  const read = await ask(operator, 'GET', `/containers/${nameOf('agent')}/archive?path=/data`)
  expect([read.status, read.reason]).toEqual(refused)
  expect((await ask(admin, 'DELETE', `/hosts/${far}`)).status).toBeLessThan(300)
  const free = async () =>
    (await ask(operator, 'GET', `/containers/${nameOf('agent')}?host=local`)).json.owner
  await expect.poll(free).toBe('foreign')
})
