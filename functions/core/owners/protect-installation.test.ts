import { expect, test } from 'vitest'
import { type MemoryEngine, memoryEngine } from '../../../adapters/testing/memory/engine.ts'
import { present } from '../../../adapters/testing/present.ts'
import type { StepCall } from '../../compose/step.ts'
import { noInstallation } from './installation.ts'

const signal = new AbortController().signal
const refused = { status: 409, reason: 'own-installation' }

const execute = (engine: MemoryEngine, call: StepCall) =>
  engine.execute({ ...call, index: 0, after: [], reason: 'test', service: null }, signal)
const create = (engine: MemoryEngine, name: string, body: object) =>
  execute(engine, {
    action: 'create',
    kind: 'container',
    name,
    image: 'busybox:latest',
    body: { ...body },
  })

/** An Engine with a service, its store, a proxy that a label added, and a container of others. */
async function installed() {
  const engine = memoryEngine({ images: ['busybox:latest', 'service:latest', 'other:latest'] })
  for (const name of ['service', 'store', 'proxy', 'other']) {
    await create(engine, name, { Cmd: ['sleep', '60'] })
    await engine.act(name, { kind: 'start' })
  }
  for (const name of ['cs_store', 'shared'])
    await execute(engine, { action: 'create', kind: 'network', name, body: {} })
  await execute(engine, { action: 'create', kind: 'volume', name: 'cs_data', body: {} })
  const idOf = (name: string) =>
    present([...engine.state.containers.values()].find((one) => one.name === name)).id
  engine.own = {
    ...noInstallation,
    containers: new Map([
      [idOf('service'), 'service'],
      [idOf('store'), 'store'],
      [idOf('proxy'), 'labelled'],
    ]),
    volumes: new Set(['cs_data']),
    networks: new Set(['cs_store']),
    joined: new Map([['shared', new Set(['stacks', 'dynamodb'])]]),
    images: new Set([present(engine.state.images.get('service:latest'))]),
  }
  return engine
}

test.each(['service', 'store'])(
  '409: every change of the container %s and every way into it',
  async (id) => {
    const engine = await installed()
    const read = async () => {
      for await (const _ of engine.readFromContainer(id, '/data', signal)) return
    }
    const calls = [
      () => engine.act(id, { kind: 'start' }),
      () => engine.act(id, { kind: 'stop' }),
      () => engine.act(id, { kind: 'restart' }),
      () => engine.act(id, { kind: 'kill' }),
      () => engine.removeContainer(id, { force: true }),
      () => engine.commitContainer(id, {} as never, signal),
      () => engine.exec(id, { command: ['sh'], tty: false } as never, signal),
      () => engine.attach(id, { tty: false }, signal),
      () => engine.statInContainer(id, '/data'),
      () => engine.writeIntoContainer(id, '/data', Buffer.alloc(1024)),
      read,
    ]
    for (const call of calls) await expect(call(), `${call}`).rejects.toMatchObject(refused)
  },
)

test.each<StepCall>([
  { action: 'start', kind: 'container', name: 'store' },
  { action: 'stop', kind: 'container', name: 'store' },
  { action: 'pause', kind: 'container', name: 'store' },
  { action: 'remove', kind: 'container', name: 'store', volumes: true, force: true },
  { action: 'rename', kind: 'container', name: 'store', to: 'old' },
  { action: 'exec', kind: 'container', name: 'store', body: {} },
  { action: 'upload', kind: 'container', name: 'store', files: [] },
  { action: 'disconnect', kind: 'network', name: 'cs_store', container: 'store' },
  { action: 'connect', kind: 'network', name: 'cs_store', container: 'other', body: {} },
  {
    action: 'connect',
    kind: 'network',
    name: 'shared',
    container: 'other',
    body: { Aliases: ['stacks'] },
  },
  { action: 'remove', kind: 'network', name: 'cs_store', id: 'x' },
  { action: 'create', kind: 'volume', name: 'cs_data', body: {} },
  { action: 'remove', kind: 'volume', name: 'cs_data' },
  { action: 'pull', kind: 'image', name: 'service:latest' },
  { action: 'remove', kind: 'image', name: 'service:latest' },
])('409: a step of a plan: $action $kind $name', async (call) => {
  await expect(execute(await installed(), call)).rejects.toMatchObject(refused)
})

const endpoint = (name: string, ...Aliases: string[]) => ({
  NetworkingConfig: { EndpointsConfig: { [name]: { Aliases } } },
})

test.each<[string, object]>([
  ['mounts its volume', { HostConfig: { Binds: ['cs_data:/x:ro'] } }],
  [
    'mounts a part of its volume',
    { HostConfig: { Mounts: [{ Type: 'volume', Source: 'cs_data' }] } },
  ],
  ['takes its volumes', { HostConfig: { VolumesFrom: ['store:ro'] } }],
  ['joins its network', endpoint('cs_store')],
  ['has its network as mode', { HostConfig: { NetworkMode: 'cs_store' } }],
  ['joins the network of its container', { HostConfig: { NetworkMode: 'container:store' } }],
  ['sees the processes of its container', { HostConfig: { PidMode: 'container:service' } }],
  ['shares the memory of its container', { HostConfig: { IpcMode: 'container:service' } }],
  ['takes its name in a shared network', endpoint('shared', 'web', 'dynamodb')],
  ['takes its name in capitals', endpoint('shared', 'DynamoDB')],
  ['takes its name as host name', { ...endpoint('shared'), Hostname: 'dynamodb' }],
  [
    'takes its name as host name in a network that is its mode',
    { HostConfig: { NetworkMode: 'shared' }, Hostname: 'stacks' },
  ],
])('409: creates no container that %s', async (_what, body) => {
  const engine = await installed()
  await expect(create(engine, 'evil', body)).rejects.toMatchObject(refused)
  expect([...engine.state.containers.values()].map(({ name }) => name)).not.toContain('evil')
})

test('409: a container in a shared network takes no name of the installation later', async () => {
  const engine = await installed()
  await create(engine, 'mine', { HostConfig: { NetworkMode: 'shared' } })
  const rename = (to: string) =>
    execute(engine, { action: 'rename', kind: 'container', name: 'mine', to })
  await expect(rename('stacks')).rejects.toMatchObject(refused)
  await rename('mine-too')
  await create(engine, 'named', { Hostname: 'stacks' })
  const connect = { action: 'connect', kind: 'network', container: 'named', body: {} } as const
  await expect(execute(engine, { ...connect, name: 'shared' })).rejects.toMatchObject(refused)
})

test('its names are free in other networks, and others in its shared network', async () => {
  const engine = await installed()
  await create(engine, 'one', endpoint('shared', 'web'))
  await execute(engine, { action: 'create', kind: 'network', name: 'own', body: {} })
  await create(engine, 'two', endpoint('own', 'dynamodb', 'stacks'))
})

test('409: the image that it runs loses no name', async () => {
  const engine = await installed()
  const other = present(engine.state.images.get('other:latest'))
  await expect(engine.tagImage(other, 'service:latest')).rejects.toMatchObject(refused)
  await expect(engine.removeImage('service:latest', { force: true })).rejects.toMatchObject(refused)
  await expect(engine.pullImage('service:latest', signal)).rejects.toMatchObject(refused)
  await engine.tagImage(present(engine.state.images.get('service:latest')), 'mine:latest')
  await create(engine, 'runs-it', {})
})

test('409: its volume is neither read, written nor emptied', async () => {
  const engine = await installed()
  const place = { kind: 'volume', name: 'cs_data' } as const
  const read = async () => {
    for await (const _ of engine.readArchive(place, 'o', signal)) return
  }
  async function* nothing() {}
  await expect(read()).rejects.toMatchObject(refused)
  await expect(engine.findSockets(place, 'o', signal)).rejects.toMatchObject(refused)
  await expect(engine.writeArchive(place, nothing(), 'o', signal)).rejects.toMatchObject(refused)
  await expect(engine.clearPlace(place, Buffer.alloc(0), 'o', signal)).rejects.toMatchObject(
    refused,
  )
})

test('409: the directories of its files are neither read nor written', async () => {
  const engine = await installed()
  engine.own = { ...engine.own, directories: ['/opt/stacks/cs/data'] }
  for (const path of ['/opt/stacks/cs', '/opt/stacks/cs/data/keys']) {
    const place = { kind: 'directory', path } as const
    const read = async () => {
      for await (const _ of engine.readArchive(place, 'o', signal)) return
    }
    await expect(read()).rejects.toMatchObject(refused)
    await expect(engine.readFiles(path, ['.env'])).rejects.toMatchObject(refused)
    await expect(engine.writeFiles(path, [])).rejects.toMatchObject(refused)
  }
  await engine.readFiles('/opt/stacks/cs-too', ['.env'])
})

test('what a label added may be stopped, started and removed, and nothing else', async () => {
  const engine = await installed()
  await expect(engine.statInContainer('proxy', '/')).rejects.toMatchObject(refused)
  expect((await engine.act('proxy', { kind: 'stop' })).state).toBe('exited')
  expect((await engine.act('proxy', { kind: 'start' })).state).toBe('running')
  await engine.removeContainer('proxy', { force: true })
})

test('containers of others are not protected', async () => {
  const engine = await installed()
  expect((await engine.act('other', { kind: 'stop' })).state).toBe('exited')
  await engine.removeContainer('other', { force: false })
})
