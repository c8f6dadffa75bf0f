import { expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { memoryBackground } from '../../../adapters/testing/memory/background.ts'
import { end } from '../../../adapters/testing/memory/engine-life.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { feedWorld, type OpenFeed } from '../../../local/harness/feeds.ts'
import { givenRole } from '../../../local/harness/roles.ts'
import { givenHost, givenStack, shop, type World, world } from '../../../local/harness/world.ts'
import { internalError, notFound } from '../../core/errors.ts'
import type { StackRecord } from '../../core/records/stack.ts'
import getStack from '../get.ts'
import stop from '../stop.ts'
import run from './run.ts'
import sweep from './sweep-one-offs.ts'

const compose = `${shop.replace('volumes:\n  data:', '')}  job:
    image: busybox:latest
    profiles: [tools]
    command: echo migrated
    environment: { MODE: prod }
    ports: ["8080:80"]
    restart: always
volumes:
  data:
`

async function deployed() {
  const here = world()
  await givenStack(here, 'shop', { compose })
  return here
}

const ask = (
  { ports }: World,
  body: Json = {},
  service = 'job',
  as: 'operator' | 'viewer' = 'operator',
) => call(run, { ports, as, path: { name: 'shop', service }, body })

const oneOffs = ({ engine }: World) =>
  [...engine.state.containers.values()].filter(({ name }) => name.includes('-run-'))

async function feedsOf({ ports }: World) {
  const service = await feedWorld({ ports, limits: { recheck: 20 } })
  onTestFinished(() => service.close(AbortSignal.abort()))
  return service
}

/** Returns all messages as `channel text`, then the close code. */
async function said({ ended, messages }: OpenFeed) {
  const { code } = await ended
  return [...messages.map((one) => `${(one as Buffer)[0]} ${(one as Buffer).subarray(1)}`), code]
}

const swept = async ({ ports }: World, processId = 'process-2') =>
  sweep.with({ ...ports, background: memoryBackground(processId) })()

test('201: a container as deployed, without ports, restarts and names; it waits to be started', async () => {
  const here = await deployed()
  const { status, json } = await ask(here, { env: { EXTRA: '1' }, user: '1000', tty: true })
  expect(status).toBe(201)
  expect(json.container).toMatch(/^shop-job-run-[0-9a-f]{12}$/)
  const made = present(here.engine.state.containers.get(json.container_id))
  expect(made).toMatchObject({ name: json.container, state: 'created' })
  expect(made.body).toMatchObject({
    Cmd: ['echo', 'migrated'],
    User: '1000',
    Tty: true,
    OpenStdin: true,
    StdinOnce: true,
    Env: ['MODE=prod', 'EXTRA=1'],
    Labels: {
      'com.docker.compose.project': 'shop',
      'com.docker.compose.service': 'job',
      'com.docker.compose.oneoff': 'True',
      'com.docker.compose.slug': json.container.slice(-12),
    },
    NetworkingConfig: { EndpointsConfig: { shop_default: {} } },
  })
  const { HostConfig } = made.body as { HostConfig: Json }
  expect([HostConfig.PortBindings, HostConfig.RestartPolicy]).toEqual([{}, undefined])
  const stack = await call(getStack, { ports: here.ports, as: 'viewer', path: { name: 'shop' } })
  expect(stack.json).toMatchObject({ status: 'running', services: { total: 2, running: 2 } })
})

test('201: another entrypoint drops the command of the service', async () => {
  const here = await deployed()
  await ask(here, { entrypoint: ['sh'] })
  await ask(here, { entrypoint: ['sh'], command: ['-c', 'exit 3'] })
  expect(oneOffs(here).map(({ body }) => [body.Entrypoint, body.Cmd])).toEqual([
    [['sh'], []],
    [['sh'], ['-c', 'exit 3']],
  ])
})

test('201: a missing image is pulled, under the files that were last deployed', async () => {
  const here = world()
  await givenStack(here, 'shop', {
    compose: compose.replace('busybox:latest\n    profiles', 'nginx:1\n    profiles'),
  })
  expect((await ask(here)).status).toBe(201)
  expect(
    here.engine.executed.some(({ action, name }) => action === 'pull' && name === 'nginx:1'),
  ).toBe(true)
})

test('the feed starts it, shows its output and exit code, and removes it', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here, { command: ['sh', '-c', 'echo a; exit 7'] })
  const feed = await service.open(`/ws/attach/${json.container_id}`, 'operator')
  const [output, status, code] = await said(feed)
  expect([output, code]).toEqual(['1 a\n', 1000])
  expect(status).toContain('{"reason":"ExitCode","message":"7"}')
  await here.ports.background.settled()
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
})

test('the feed passes input on, and its end', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here, { command: ['cat'] })
  const feed = await service.open(`/ws/attach/${json.container_id}`, 'operator')
  feed.ws.send(Buffer.concat([Buffer.from([0]), Buffer.from('hello')]))
  feed.ws.send(Buffer.from([255, 0]))
  expect(await said(feed)).toEqual(['1 hello', '3 {"status":"Success"}', 1000])
})

test('keep: the container stays after its end', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here, { keep: true })
  const feed = await service.open(`/ws/attach/${json.container_id}`, 'operator')
  await feed.ended
  await here.ports.background.settled()
  expect(oneOffs(here)).toMatchObject([{ state: 'exited', exitCode: 0 }])
  expect(await here.ports.oneOffs.list()).toEqual([])
})

test('without a feed it goes after 30 s, not before, also if its process died', async () => {
  const here = await deployed()
  await ask(here, { keep: true })
  await swept(here)
  here.ports.clock.advance(29_000)
  await swept(here)
  expect(oneOffs(here)).toHaveLength(1)
  here.ports.clock.advance(1_001)
  await Promise.all([swept(here, 'process-2'), swept(here, 'process-3')])
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
})

test('while a feed is attached it stays; after the client has gone another feed can attach', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here, { command: ['sleep', '60'] })
  const open = () => service.open(`/ws/attach/${json.container_id}`, 'operator')
  const first = await open()
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  await expect(open()).rejects.toMatchObject({ status: 409 })
  for (let turn = 0; turn < 9; turn += 1) {
    here.ports.clock.advance(5_000)
    await new Promise((resolve) => setImmediate(resolve))
    await swept(here)
  }
  expect(oneOffs(here)).toHaveLength(1)
  first.ws.close()
  await first.ended
  await expect.poll(async () => (await here.ports.oneOffs.list())[0]?.isAttached).toBe(false)
  const second = await open()
  second.ws.close()
  await second.ended
  await here.ports.background.settled()
  here.ports.clock.advance(30_001)
  await swept(here)
  expect(oneOffs(here)).toEqual([])
})

test('a host that does not respond keeps the record for a later sweep', async () => {
  const here = await deployed()
  await ask(here)
  await swept(here)
  here.ports.clock.advance(30_001)
  here.engine.offline = internalError('host local: it does not respond', { reason: 'host-offline' })
  await swept(here)
  expect(await here.ports.oneOffs.list()).toHaveLength(1)
  here.engine.offline = undefined
  await swept(here)
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
})

test('500: nothing is left if the container cannot be created', async () => {
  const here = await deployed()
  here.engine.failing = ({ action }) =>
    action === 'create' ? internalError('disk full') : undefined
  expect((await ask(here)).status).toBe(500)
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
})

test('409: a dependency is down, unless it does not matter; it is not started', async () => {
  const here = await deployed()
  await call(stop, { ports: here.ports, as: 'operator', path: { name: 'shop' } })
  const { status, json } = await ask(here, {}, 'web')
  expect([status, json.error]).toEqual([
    409,
    'service db, which web depends on, is not running: deploy it first, or set `dependencies` to false',
  ])
  expect((await ask(here, { dependencies: false }, 'web')).status).toBe(201)
  expect(here.engine.state.containers.size).toBe(1)
})

test('409: the stack was never deployed, or a volume is missing', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose, deployed: false })
  expect((await ask(here)).json.error).toContain('it was never deployed')
  const there = await deployed()
  for (const { id, name } of there.engine.state.containers.values()) {
    if (name === 'shop-db-1') there.engine.state.containers.delete(id)
  }
  there.engine.state.volumes.delete('shop_data')
  expect((await ask(there, {}, 'db')).json.error).toContain('volume shop_data: does not exist')
})

test('409: a deployment of the stack is running', async () => {
  const here = await deployed()
  await here.ports.leases.acquire('stack:shop', 'process-2/019e0000', 10_000)
  const { status, headers } = await ask(here)
  expect([status, headers['x-error-reason']]).toEqual([409, 'lease-held'])
})

test('403: without stacks:privileged, a service that accesses the host', async () => {
  const here = world()
  await givenStack(here, 'shop', {
    compose: compose.replace(
      '    profiles: [tools]\n',
      '    profiles: [tools]\n    privileged: true\n',
    ),
  })
  const { status, headers } = await ask(here)
  expect([status, headers['x-error-reason']]).toEqual([403, 'policy'])
  const admin = { ports: here.ports, as: 'admin' as const, path: { name: 'shop', service: 'job' } }
  expect((await call(run, { ...admin, body: {} })).status).toBe(201)
})

test('403: a viewer; env without stacks:deploy', async () => {
  const here = await deployed()
  expect((await ask(here, {}, 'job', 'viewer')).status).toBe(403)
  const as = await givenRole(here, ['containers:exec'])
  const request = { ports: here.ports, as, path: { name: 'shop', service: 'job' } }
  expect((await call(run, { ...request, body: { env: { A: '1' } } })).status).toBe(403)
  expect((await call(run, { ...request, body: {} })).status).toBe(201)
})

test('403: a feed of another account; 404: a container that is no one-off', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here)
  await expect(service.open(`/ws/attach/${json.container_id}`, 'admin')).rejects.toMatchObject({
    status: 403,
  })
  await expect(service.open('/ws/attach/shop-db-1', 'operator')).rejects.toMatchObject({
    status: 404,
  })
})

test('404: no such stack or service; 400: not a list', async () => {
  const here = await deployed()
  expect((await ask(here, {}, 'none')).status).toBe(404)
  const path = { name: 'none', service: 'job' }
  expect((await call(run, { ports: here.ports, as: 'operator', path, body: {} })).status).toBe(404)
  expect((await ask(here, { command: 'ls' })).status).toBe(400)
})

test('422: the files do not load', async () => {
  const here = await deployed()
  const stack = present(await here.ports.stacks.find('shop'))
  const broken = await here.ports.texts.put('services: [')
  const files = { ...stack.files, compose: broken }
  await here.ports.stacks.replace({ ...stack, files, written: files })
  expect((await ask(here)).status).toBe(422)
})

test('a command that ended without a feed is not run again: the next feed gets its exit code', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here, { command: ['sleep', '60'] })
  const open = () => service.open(`/ws/attach/${json.container_id}`, 'operator')
  const first = await open()
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  first.ws.close()
  await first.ended
  await expect.poll(async () => (await here.ports.oneOffs.list())[0]?.isAttached).toBe(false)
  end(here.engine.state, present(oneOffs(here)[0]), 7)
  here.engine.state.touch()
  const starts = () =>
    [...here.engine.state.containers.values()].find(({ id }) => id === json.container_id)?.runs
  const before = starts()
  const second = await open()
  const [status, code] = await said(second)
  expect(status).toContain('{"reason":"ExitCode","message":"7"}')
  expect([code, before]).toEqual([1000, 1])
  await here.ports.background.settled()
  expect(oneOffs(here)).toEqual([])
})

test('a renewal that fails is made up for by the next one', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here, { command: ['sleep', '60'] })
  const feed = await service.open(`/ws/attach/${json.container_id}`, 'operator')
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  const { acquire } = here.ports.leases
  let failures = 0
  here.ports.leases.acquire = async (name, holder, length) => {
    if (holder !== 'feed' || failures > 0) return acquire(name, holder, length)
    failures += 1
    throw internalError('the store is away', { reason: 'store-unavailable' })
  }
  for (let turn = 0; turn < 12; turn += 1) {
    here.ports.clock.advance(5_000)
    await new Promise((resolve) => setTimeout(resolve, 10))
    await swept(here)
  }
  expect([failures, oneOffs(here).length]).toEqual([1, 1])
  feed.ws.close()
  await feed.ended
})

test('409: a container that is being removed accepts no feed, also if its sweep paused', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here)
  await swept(here)
  here.ports.clock.advance(30_001)
  const { execute } = here.engine
  let resume = () => {}
  const paused = new Promise<void>((resolve) => {
    here.engine.execute = async (...given) => {
      resolve()
      await new Promise<void>((wake) => {
        resume = wake
      })
      return execute(...given)
    }
  })
  const sweeping = swept(here)
  await paused
  here.ports.clock.advance(60_000)
  await expect(service.open(`/ws/attach/${json.container_id}`, 'operator')).rejects.toMatchObject({
    status: 409,
  })
  resume()
  await sweeping
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
})

test('a host that hangs does not delay the sweep of another one', async () => {
  const here = await deployed()
  await ask(here)
  const first = present((await here.ports.oneOffs.list())[0])
  const far = await givenHost(here, 'far')
  await here.ports.oneOffs.create({
    ...first,
    id: 'aaaaaaaaaaaa',
    hostId: 'far',
    container: 'gone',
  })
  await swept(here)
  here.ports.clock.advance(30_001)
  far.engine.execute = () => new Promise(() => {})
  void swept(here)
  await expect.poll(() => oneOffs(here)).toEqual([])
})

test('201: several at the same time; 409: more than 50 of a stack, also if they were kept', async () => {
  const here = await deployed()
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask(here)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  for (let count = 4; count < 50; count += 1) expect((await ask(here)).status).toBe(201)
  const { status, headers, json } = await ask(here)
  expect([status, headers['x-error-reason']]).toEqual([409, 'limit'])
  expect(json.error).toContain('it has 50 one-off containers')
})

test.each<[string, (stack: StackRecord) => Partial<StackRecord>]>([
  ['another one', ({ createdAt }) => ({ createdAt: createdAt + 1 })],
  ['changed by a deploy', ({ last }) => ({ last: last && { ...last, applied: false } })],
  ['deployed', ({ last }) => ({ last: last && { ...last, status: 'failed' } })],
])('409: the stack is %s by the time its image is there', async (_, change) => {
  const here = world()
  const slow = compose.replace('busybox:latest\n    profiles', 'nginx:1\n    profiles')
  await givenStack(here, 'shop', { compose: slow })
  const { pullImage, execute } = here.engine
  const later = async () => {
    const stack = present(await here.ports.stacks.find('shop'))
    await here.ports.stacks.replace({ ...stack, ...change(stack) })
  }
  here.engine.pullImage = async (...given) => later().then(() => pullImage(...given))
  here.engine.execute = async (step, signal) => {
    if (step.action === 'pull') await later()
    return execute(step, signal)
  }
  const { headers, json } = await ask(here)
  expect(headers['x-error-reason']).toBe('conflict')
  expect(json.error).toContain('it was changed in the meantime')
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
})

test('a command that cannot be started ends the feed with the reason, and leaves nothing', async () => {
  const here = await deployed()
  const service = await feedsOf(here)
  const { json } = await ask(here, { command: ['none'] })
  here.engine.act = async () => {
    throw notFound('executable file not found in the container: none')
  }
  const feed = await service.open(`/ws/attach/${json.container_id}`, 'operator')
  const [status, code] = await said(feed)
  expect([status, code]).toEqual([expect.stringContaining('executable file not found'), 1000])
  await here.ports.background.settled()
  expect([oneOffs(here), await here.ports.oneOffs.list()]).toEqual([[], []])
})

test('201: publishes only the ports that are asked for, which needs stacks:deploy', async () => {
  const here = await deployed()
  const bindings = async (body: Json) => {
    const { status } = await ask(here, body)
    expect(status).toBe(201)
    const created = present(oneOffs(here).at(-1)).body as { HostConfig: Json }
    return created.HostConfig.PortBindings
  }
  const service = { '80/tcp': [{ HostIp: '', HostPort: '8080' }] }
  expect(await bindings({ service_ports: true })).toEqual(service)
  const own = { '53/udp': [{ HostIp: '127.0.0.1', HostPort: '5353' }] }
  expect(await bindings({ publish: ['127.0.0.1:5353:53/udp'] })).toEqual(own)
  expect((await ask(here, { publish: ['80'] })).status).toBe(400)
  const as = await givenRole(here, ['stacks:read', 'containers:exec'])
  const path = { name: 'shop', service: 'job' }
  for (const body of [{ publish: ['1:1'] }, { service_ports: true }]) {
    expect((await call(run, { ports: here.ports, as, path, body })).status).toBe(403)
  }
})
