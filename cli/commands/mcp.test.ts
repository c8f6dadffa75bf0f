import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { startAssistant } from '../../local/harness/assistant.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import { limitedToken } from '../../local/harness/limited-token.ts'
import { version } from '../version.ts'

const compose = 'services: {web: {image: "busybox:latest", command: sleep 60}}\n'
const changed = 'services: {web: {image: "busybox:latest", command: sleep 70}}\n'

let world: Awaited<ReturnType<typeof clientWorld>>
let assistant: ReturnType<typeof startAssistant>
let writer: ReturnType<typeof startAssistant>

/** The environment of a server whose credential is an API token. */
const envWith = (token: string) => ({
  HOME: world.home,
  CLI_SERVER: world.server,
  CLI_TOKEN: token,
})

beforeAll(async () => {
  world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const token = (await world.cli('tokens create assistant')).out.trim()
  assistant = startAssistant([], envWith(token))
  writer = startAssistant(['--write'], envWith(token))
})

afterAll(async () => {
  await assistant[Symbol.asyncDispose]()
  await writer[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

test('begins a session, and lists tools that only read', async () => {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const { result } = await assistant.ask('initialize', params)
  expect(result).toMatchObject({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'container-stacks', version },
  })
  assistant.send({ method: 'notifications/initialized' })
  expect((await assistant.ask('ping')).result).toEqual({})
  const { tools } = (await assistant.ask('tools/list')).result
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toContain('stacks_list')
  expect(names).not.toContain('stacks_deploy')
})

test('answers requests that say their revision', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const { result } = await assistant.ask('server/discover', { _meta })
  expect(result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] })
  const called = await assistant.ask('tools/call', { name: 'health_get', _meta })
  expect(called.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] })
})

test('reads, and says that what it read is data', async () => {
  const { isError, about, data } = await assistant.use('stacks_list')
  expect({ isError, about }).toEqual({ isError: false, about: expect.stringContaining('data') })
  expect(data).toMatchObject([{ name: 'shop' }])
})

test('leaves out the text of `.env`, also for an admin', async () => {
  await world.cli(['api', 'PUT', '/stacks/shop', '-d', '{"env": "PASSWORD=hunter2\\n"}'])
  const stack = await assistant.use('stacks_get', { name: 'shop' })
  expect(stack.data.env).toBeNull()
  const read = await assistant.use('stacks_file_get', { name: 'shop', path: '.env' })
  expect(read).toMatchObject({ isError: false, data: { path: '.env', content: null } })
  expect(JSON.stringify(assistant.messages)).not.toContain('hunter2')
})

test('an error of the service is the result of the tool, with the way out', async () => {
  expect(await assistant.use('stacks_get', { name: 'none' })).toMatchObject({
    isError: true,
    status: 404,
  })
  expect(await assistant.use('stacks_get', { nmae: 'shop' })).toMatchObject({
    isError: true,
    error: expect.stringContaining('it takes name'),
  })
  expect(await assistant.use('stacks_restart', { name: 'shop' })).toMatchObject({
    isError: true,
    way_out: expect.stringContaining('cli mcp --write'),
  })
})

test('refuses unknown tools and methods, and goes on after what is no message', async () => {
  expect((await assistant.ask('tools/call', { name: 'none' })).error.code).toBe(-32602)
  expect((await assistant.ask('resources/list')).error.code).toBe(-32601)
  const before = assistant.messages.length
  assistant.sendLine('{')
  assistant.sendLine('')
  await assistant.ask('ping')
  expect(assistant.messages.slice(before)).toMatchObject([
    { error: { code: -32700 } },
    { result: {} },
  ])
})

test('a change returns its plan first, and happens if the plan is still the same', async () => {
  const update = { name: 'shop', compose: changed }
  const planned = await writer.use('stacks_update', update)
  expect(planned).toMatchObject({
    isError: false,
    next: expect.stringContaining('Nothing was changed'),
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    plan: [{ action: 'replace', kind: 'file', name: 'compose.yaml' }],
  })
  const before = (await world.ports.stacks.list())[0]
  const saved = await writer.use('stacks_update', { ...update, plan: planned.digest })
  expect(saved).toMatchObject({ isError: false, data: { name: 'shop' } })
  const after = (await world.ports.stacks.list())[0]
  expect(after?.contentRevision).toBe(Number(before?.contentRevision) + 1)

  const deploy = await writer.use('stacks_deploy', { name: 'shop' })
  const container = { kind: 'container', name: 'shop-web-1' }
  expect(deploy.plan).toContainEqual(expect.objectContaining(container))
  const started = await writer.use('stacks_deploy', { name: 'shop', plan: deploy.digest })
  expect(started).toMatchObject({ isError: false, data: { stack: 'shop', kind: 'deploy' } })
  const how = async () =>
    (await writer.use('stacks_deployments_get', { name: 'shop', id: started.data.id })).data.status
  await expect.poll(how).toBe('succeeded')
})

test('a change does not happen if its plan is another one by now', async () => {
  const planned = await writer.use('stacks_restart', { name: 'shop' })
  expect(planned.plan).toMatchObject([{ action: 'restart', name: 'shop-web-1' }])
  expect((await world.cli('stacks pause shop web')).code).toBe(0)
  const refused = await writer.use('stacks_restart', { name: 'shop', plan: planned.digest })
  expect(refused).toMatchObject({
    isError: true,
    next: expect.stringContaining('another one by now'),
    plan: [{ action: 'restart', name: 'shop-web-1' }],
  })
  expect(refused.digest).not.toBe(planned.digest)
  await world.cli('stacks unpause shop web')
  const other = { name: 'shop', services: ['web'], plan: planned.digest }
  expect((await writer.use('stacks_restart', other)).isError).toBe(true)
})

test('403: a token may do no more than its account', async () => {
  const { ports } = world
  const permissions = ['stacks:read'] as const
  await ports.roles.create({ id: 'reader', permissions: [...permissions], createdAt: 0 })
  const as = { username: 'grace', role: 'reader' }
  const { token } = await limitedToken(ports, as, 'reader', [...permissions])
  await using reader = startAssistant(['--write'], envWith(token))
  const { digest, isError } = await reader.use('stacks_restart', { name: 'shop' })
  expect(isError).toBe(false)
  expect(await reader.use('stacks_restart', { name: 'shop', plan: digest })).toMatchObject({
    isError: true,
    status: 403,
  })
})

/** A service that never answers. `requests` are open, `closed` are those whose caller is gone. */
async function silentService() {
  const counts = { requests: 0, closed: 0 }
  const server = createServer((request) => {
    counts.requests += 1
    request.socket.once('close', () => {
      counts.closed += 1
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    counts,
    env: { HOME: world.home, CLI_SERVER: `http://127.0.0.1:${port}`, CLI_TOKEN: 'cst_any' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

test('a call that is cancelled gets no response, and its request is aborted', async () => {
  await using service = await silentService()
  await using caller = startAssistant([], service.env)
  const { id } = caller.begin('tools/call', { name: 'stacks_list', arguments: {} })
  await expect.poll(() => service.counts.requests).toBe(1)
  caller.send({ method: 'notifications/cancelled', params: { requestId: id } })
  await expect.poll(() => service.counts.closed).toBe(1)
  await caller.ask('ping')
  expect(caller.messages.map((message) => message.id)).toEqual([id + 1])
})

test('0: ends with its input, also while a call runs, and prints nothing else', async () => {
  await using service = await silentService()
  await using caller = startAssistant([], service.env)
  caller.begin('tools/call', { name: 'stacks_list', arguments: {} })
  await expect.poll(() => service.counts.requests).toBe(1)
  caller.end()
  expect(await caller.ended).toBe(0)
  expect({ messages: caller.messages, noise: caller.noise() }).toEqual({ messages: [], noise: '' })
})

test('a server does not run more calls at a time than it may', async () => {
  await using service = await silentService()
  await using caller = startAssistant([], service.env)
  const calls = Array.from({ length: 17 }, () =>
    caller.begin('tools/call', { name: 'stacks_list', arguments: {} }),
  )
  const { result } = await present(calls[16]).answer
  expect(result).toMatchObject({ isError: true })
  expect(result.content[0].text).toContain('16 calls run already')
})

test('3: without a service to talk to, it ends and says how to log in', async () => {
  await using caller = startAssistant([], { HOME: '/nonexistent' })
  expect(await caller.ended).toBe(3)
  expect(caller.messages).toEqual([])
  expect(caller.noise()).toContain('run: cli login')
})
