import { expect, test } from 'vitest'
import type {
  InspectedContainer,
  ListedContainer,
  ServiceProcess,
} from '../records/installation.ts'
import type { EngineFacts, InstallationRecords } from './engine-facts.ts'
import { findMembers } from './find-members.ts'

const idOf = (name: string) => Buffer.from(name).toString('hex').padEnd(64, '0')
const project = 'com.docker.compose.project'

type Given = Partial<Omit<ListedContainer, 'networks'>> & {
  name: string
  networks?: string[]
  inspected?: Partial<InspectedContainer>
}

/** An Engine with these containers. */
function facts(given: Given[], more: Partial<EngineFacts> = {}): EngineFacts {
  const inspections = new Map<string, InspectedContainer>()
  const containers = given.map(({ inspected, networks = [], ...one }, index) => {
    const id = one.id ?? idOf(one.name)
    const aliases = Object.fromEntries(networks.map((network) => [network, [one.name]]))
    const nothing = { hostname: id.slice(0, 12), gateways: [], variables: [], published: [] }
    inspections.set(id, { ...nothing, aliases, ...inspected })
    const addresses = networks.map((network) => [network, `172.20.0.${index + 2}`])
    return {
      id,
      imageId: `sha256:${one.name}`,
      labels: {},
      isHelper: false,
      networkMode: 'default',
      published: [],
      mounts: [],
      ...one,
      networks: Object.fromEntries(addresses),
    }
  })
  return {
    hostId: 'local',
    isLocal: true,
    engineId: 'E1',
    stacksDirectory: '/opt/stacks',
    containers,
    networks: [],
    inspect: async (id) => inspections.get(id),
    ...more,
  }
}

const process = (given: Partial<ServiceProcess> = {}): ServiceProcess => ({
  id: 'p',
  container: idOf('service'),
  machine: 'm',
  dataDirectory: '/data',
  engineId: 'E1',
  store: null,
  ...given,
})
const at = (host: string, isLocal = false) => ({ host, port: 8000, isLocal })
const records = (given: Partial<InstallationRecords> = {}): InstallationRecords => ({
  processes: [process()],
  agents: [],
  stacks: [
    { id: 'shop', hostId: 'local' },
    { id: 'front', hostId: 'nas' },
  ],
  ...given,
})

/** The members by name. */
async function found(engine: EngineFacts, reported = records()) {
  const { containers } = await findMembers(engine, reported)
  const nameOf = new Map(engine.containers.map(({ id, name }) => [id, name]))
  return Object.fromEntries([...containers].map(([id, kind]) => [nameOf.get(id), kind]))
}

test('finds the containers of processes and agents by their IDs alone', async () => {
  const labels = { [project]: 'container-stacks' }
  const engine = facts([
    { name: 'service', labels },
    { name: 'second' },
    { name: 'agent' },
    { name: 'jellyfin', labels },
  ])
  const reported = records({
    processes: [process(), process({ id: 'q', container: idOf('second') })],
    agents: [
      { hostId: 'nas', container: idOf('agent'), hostname: 'h' },
      { hostId: 'gone', container: idOf('removed'), hostname: 'h' },
    ],
  })
  expect(await found(engine, reported)).toEqual({
    service: 'service',
    second: 'service',
    agent: 'agent',
  })
})

test.each([
  ['its name', 'store', {}],
  ['an alias', 'database', { aliases: { back: ['database'] } }],
  ['its address', '172.20.0.3', {}],
])('finds the store by %s in a network of the service', async (_what, host, inspected) => {
  const engine = facts([
    { name: 'service', networks: ['back'] },
    { name: 'store', networks: ['back'], inspected },
    {
      name: 'other',
      networks: ['back', 'front'],
      inspected: { aliases: { front: ['database', 'store'] } },
    },
  ])
  const reported = records({ processes: [process({ store: at(host) })] })
  expect(await found(engine, reported)).toEqual({ service: 'service', store: 'store' })
})

test('finds the store of a process outside of containers by its published port', async () => {
  const engine = facts([
    { name: 'store', published: [{ port: 8000, ip: '127.0.0.1' }] },
    { name: 'stopped', inspected: { published: [{ port: 8000, ip: '' }] } },
    { name: 'other', published: [{ port: 8001, ip: '0.0.0.0' }] },
  ])
  const own = process({ container: 'none', store: at('127.0.0.1', true) })
  const both = { store: 'store', stopped: 'store' }
  expect(await found(engine, records({ processes: [own] }))).toEqual(both)
  // A port of that number on another machine is not the store.
  const elsewhere = { ...own, engineId: 'E2' }
  expect(await found(engine, records({ processes: [elsewhere] }))).toEqual({})
})

test('finds the store that shares the network of the service', async () => {
  const engine = facts([
    { name: 'vpn' },
    { name: 'service', networkMode: `container:${idOf('vpn')}` },
    { name: 'rider', networkMode: `container:${idOf('vpn')}` },
    { name: 'other' },
  ])
  const reported = records({ processes: [process({ store: at('localhost', true) })] })
  expect(await found(engine, reported)).toEqual({
    service: 'service',
    vpn: 'store',
    rider: 'store',
  })
})

test('a process that cannot find its container protects those that have what it has', async () => {
  const socket = '/var/run/docker.sock'
  const mount = (destination: string) => ({ type: 'bind', name: '', source: '/x', destination })
  const engine = facts([
    { name: 'a', mounts: [mount('/data')] },
    { name: 'b', mounts: [mount(socket)] },
    { name: 'c', mounts: [mount('/srv')] },
  ])
  const reported = records({ processes: [process({ container: 'unknown' })] })
  expect(await found(engine, reported)).toEqual({ a: 'service', b: 'service' })
  const agents = [{ hostId: 'local', container: 'unknown', hostname: 'h' }]
  expect(await found(engine, records({ processes: [], agents }))).toEqual({ b: 'agent' })
})

test('finds an agent of an earlier version, which does not report its container', async () => {
  const socket = '/var/run/docker.sock'
  const mounts = [{ type: 'bind', name: '', source: socket, destination: socket }]
  const engine = facts([
    { name: 'agent' },
    { name: 'named', mounts, inspected: { variables: ['AGENT_SERVER'] } },
    { name: 'traefik', mounts },
  ])
  const agents = [{ hostId: 'local', container: undefined, hostname: idOf('agent').slice(0, 12) }]
  const members = { agent: 'agent', named: 'agent' }
  expect(await found(engine, records({ processes: [], agents }))).toEqual(members)
  const outside = [{ hostId: 'local', container: 'none', hostname: 'nas' }]
  expect(await found(engine, records({ processes: [], agents: outside }))).toEqual({})
})

test('a label adds a container that no stack owns', async () => {
  const label = { 'container-stacks.installation': '' }
  const engine = facts([
    { name: 'proxy', labels: label },
    { name: 'caddy', labels: { ...label, [project]: 'front' } },
    { name: 'shop-web-1', labels: { ...label, [project]: 'shop' } },
  ])
  expect(await found(engine)).toEqual({ proxy: 'labelled', caddy: 'labelled' })
})

test('finds the containers of an upgrade by their records, and none by its label', async () => {
  const upgrade = { 'container-stacks.upgrade': 'u1' }
  const engine = facts([
    { name: 'service', labels: upgrade },
    { name: 'service_before_u1' },
    { name: 'container-stacks-0123456789abcdef' },
    { name: 'forged', labels: upgrade },
    { name: 'forged_before_u1', labels: { ...upgrade, [project]: 'shop' } },
  ])
  const recorded = ['service', 'service_before_u1', 'container-stacks-0123456789abcdef']
  const processes = recorded.map((name) => process({ id: name, container: idOf(name) }))
  expect(await found(engine, records({ processes }))).toEqual(
    Object.fromEntries(recorded.map((name) => [name, 'service'])),
  )
})

test('owns what members mount, the networks of its project and those of its store', async () => {
  const labels = {
    [project]: 'container-stacks',
    'com.docker.compose.project.working_dir': '/opt/stacks/cs',
  }
  const volume = (name: string) => ({ type: 'volume', name, source: '', destination: '/data' })
  const bind = (source: string, destination = '/x') => ({
    type: 'bind',
    name: '',
    source,
    destination,
  })
  const engine = facts(
    [
      {
        name: 'service',
        labels,
        networks: ['container-stacks_default', 'proxy'],
        mounts: [
          volume('container-stacks_data'),
          bind('/srv/data', '/data'),
          bind('/mnt/backups', '/backups'),
          ...['/opt/stacks', '/opt', '/', '/etc/localtime'].map((path) => bind(path)),
          bind('/var/run/docker.sock'),
        ],
        inspected: { aliases: { proxy: ['stacks'], 'container-stacks_default': ['service'] } },
      },
      {
        name: 'store',
        networks: ['proxy', 'bridge'],
        mounts: [volume('records'), bind('/srv/records'), bind('/etc/localtime')],
      },
      { name: 'jellyfin', labels, mounts: [volume('media')] },
      {
        name: 'caddy',
        labels: { 'container-stacks.installation': '' },
        mounts: [bind('/opt/stacks/shop/pages'), volume('certificates')],
      },
      { name: 'container-stacks-0123456789ab', isHelper: true, mounts: [volume('shop_data')] },
    ],
    { networks: [{ name: 'container-stacks_back', labels }] },
  )
  const host = process({ id: 'q', container: 'none', dataDirectory: '/var/lib/container-stacks' })
  const reported = records({ processes: [process({ store: at('store') }), host] })
  expect(await findMembers(engine, reported)).toMatchObject({
    volumes: new Set(['container-stacks_data', 'records', 'certificates']),
    networks: new Set(['proxy', 'container-stacks_back']),
    storeNetworks: new Set(['proxy']),
    directories: ['/opt/stacks/cs/.env', '/srv/data', '/srv/records', '/var/lib/container-stacks'],
    projects: new Set(['container-stacks']),
    images: new Set([
      ...['sha256:service', 'sha256:store', 'sha256:caddy'],
      'sha256:container-stacks-0123456789ab',
    ]),
  })
})

test('in a network that others made, its names are those of its containers and of its store', async () => {
  const engine = facts([
    {
      name: 'service',
      networks: ['proxy'],
      inspected: { aliases: { proxy: ['Stacks'] }, hostname: 'nas' },
    },
  ])
  const reported = records({ processes: [process({ store: at('DynamoDB.proxy.') })] })
  const { joined, networks } = await findMembers(engine, reported)
  expect([...networks]).toEqual([])
  const names = [...joined.values()].flatMap((some) => [...some])
  expect(names.sort()).toEqual(['dynamodb', 'nas', 'service', 'stacks'])
  expect([...joined.keys()]).toEqual(['proxy'])
})
