import { expect, test } from 'vitest'
import { type CopiedContainer, type EngineConfig, newContainer } from './new-container.ts'

const id = 'ab12cd34ef56'.padEnd(64, '0')
const to = { image: 'container-stacks:0.5.0', imageId: 'sha256:new' }

const image: EngineConfig = {
  User: '65532:65532',
  Env: ['PATH=/usr/bin', 'SERVICE_STORE=sqlite'],
  Cmd: ['container-stacks'],
  Entrypoint: null,
  WorkingDir: '/data',
  Volumes: { '/data': {} },
  ExposedPorts: { '8080/tcp': {}, '8443/tcp': {} },
  StopSignal: 'SIGTERM',
  Healthcheck: { Test: ['CMD', 'health'], Interval: 30, Retries: 3 },
  Labels: { 'org.opencontainers.image.version': '0.4.2' },
}

/** An endpoint without settings of its own. */
const nothing = { Aliases: [], Links: null, IPAMConfig: null, DriverOpts: null }

type Change = Omit<Partial<CopiedContainer>, 'Config'> & { Config?: EngineConfig }

const copy = ({ Config, ...change }: Change, defaults = image) =>
  newContainer(
    {
      Id: id,
      Config: { Hostname: id.slice(0, 12), Image: 'container-stacks:0.4.2', ...image, ...Config },
      HostConfig: { NetworkMode: 'default' },
      Mounts: [],
      NetworkSettings: { Networks: { bridge: {} } },
      ...change,
    },
    defaults,
    to,
    'u1',
  )
const bodyOf = (change: Change, defaults = image) => copy(change, defaults).body

test('takes from the new image what the container has from the old one', () => {
  expect(bodyOf({})).toEqual({
    Image: 'container-stacks:0.5.0',
    Domainname: undefined,
    Labels: { 'container-stacks.upgrade': 'u1' },
    HostConfig: {
      NetworkMode: 'default',
      Binds: [],
      Mounts: [],
      Links: [],
      RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
    },
    NetworkingConfig: { EndpointsConfig: { bridge: nothing } },
  })
})

test.each<[string, EngineConfig, EngineConfig]>([
  [
    'a variable',
    { Env: ['PATH=/usr/bin', 'SERVICE_STORE=dynamodb', 'TZ=UTC'] },
    { Env: ['SERVICE_STORE=dynamodb', 'TZ=UTC'] },
  ],
  ['a command', { Cmd: ['other'] }, { Cmd: ['other'] }],
  [
    'an entry point, with which no command comes from an image',
    { Entrypoint: ['tini', '--'] },
    { Entrypoint: ['tini', '--'], Cmd: ['container-stacks'] },
  ],
  ['a user', { User: '1000:1000' }, { User: '1000:1000' }],
  ['a directory', { WorkingDir: '/srv' }, { WorkingDir: '/srv' }],
  ['a signal', { StopSignal: 'SIGINT' }, { StopSignal: 'SIGINT' }],
  ['a time to stop', { StopTimeout: 40 }, { StopTimeout: 40 }],
  ['a terminal', { Tty: true, OpenStdin: true }, { Tty: true, OpenStdin: true }],
  [
    'a part of the health check',
    { Healthcheck: { Test: ['CMD', 'health'], Interval: 5, Retries: 3 } },
    { Healthcheck: { Interval: 5 } },
  ],
  [
    'no health check',
    { Healthcheck: { Test: ['NONE'], Interval: 30, Retries: 3 } },
    { Healthcheck: { Test: ['NONE'] } },
  ],
  [
    'an exposed port',
    { ExposedPorts: { '8080/tcp': {}, '8443/tcp': {}, '9000/tcp': {} } },
    { ExposedPorts: { '9000/tcp': {} } },
  ],
  ['a name of its host', { Hostname: 'stacks' }, { Hostname: 'stacks' }],
  ['a hardware address', { MacAddress: '02:42:ac:11:00:02' }, { MacAddress: '02:42:ac:11:00:02' }],
])('keeps %s of the container', (_what, Config, kept) => {
  const { Image, Domainname, Labels, HostConfig, NetworkingConfig, ...rest } = bodyOf({ Config })
  expect(rest).toEqual(kept)
})

test('keeps everything if the old image is gone', () => {
  const { Env, Cmd, User } = bodyOf({}, {})
  expect([Env, Cmd, User]).toEqual([image.Env, image.Cmd, image.User])
})

test('keeps labels but those of the image, and gives docker compose the new image', () => {
  const own = {
    'org.opencontainers.image.version': '0.4.2',
    'com.docker.compose.project': 'stacks',
    'com.docker.compose.image': 'sha256:old',
    'container-stacks.upgrade': 'u0',
    constructor: 'of the user',
  }
  expect(bodyOf({ Config: { Labels: own } }).Labels).toEqual({
    'com.docker.compose.project': 'stacks',
    'com.docker.compose.image': 'sha256:new',
    'container-stacks.upgrade': 'u1',
    constructor: 'of the user',
  })
})

test('keeps what the container asks of its host', () => {
  const asked = {
    NetworkMode: 'default',
    PortBindings: { '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '8080' }] },
    GroupAdd: ['999'],
    CapDrop: ['ALL'],
    CapAdd: ['NET_BIND_SERVICE'],
    SecurityOpt: ['no-new-privileges:true', 'label=disable'],
    Devices: [{ PathOnHost: '/dev/fuse', PathInContainer: '/dev/fuse', CgroupPermissions: 'rwm' }],
    Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 2048 }],
    LogConfig: { Type: 'json-file', Config: { 'max-size': '10m' } },
    Tmpfs: { '/tmp': '' },
    ReadonlyRootfs: true,
    Init: true,
    Memory: 512_000_000,
    MaskedPaths: [],
    ExtraHosts: ['proxy:10.0.0.1'],
    Sysctls: { 'net.core.somaxconn': '1024' },
  }
  const HostConfig = {
    ...asked,
    RestartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 },
    ContainerIDFile: '/tmp/id',
    VolumesFrom: ['data'],
  }
  const { Binds, Mounts, Links, RestartPolicy, ...rest } = bodyOf({ HostConfig })
    .HostConfig as Record<string, unknown>
  expect(rest).toEqual(asked)
  expect(RestartPolicy).toEqual({ Name: 'no', MaximumRetryCount: 0 })
})

test('mounts the same volumes and directories, those without a name too', () => {
  const volume = (Name: string, Destination: string, RW = true) => ({
    Type: 'volume',
    Name,
    Source: `/var/lib/docker/volumes/${Name}/_data`,
    Destination,
    RW,
  })
  const HostConfig = {
    NetworkMode: 'default',
    Binds: ['stacks_data:/data:rw', '/var/run/docker.sock:/var/run/docker.sock', '/lonely'],
    Mounts: [
      { Type: 'volume', Source: 'named', Target: '/named/' },
      { Type: 'volume', Target: '/unnamed' },
      { Type: 'tmpfs', Target: '/cache' },
    ],
    VolumesFrom: ['other:ro'],
  }
  const Mounts = [
    volume('stacks_data', '/data'),
    volume('named', '/named'),
    volume('a1'.repeat(32), '/unnamed'),
    volume('b2'.repeat(32), '/of-the-image'),
    volume('c3'.repeat(32), '/lonely'),
    volume('others', '/shared', false),
    {
      Type: 'bind',
      Source: '/var/run/docker.sock',
      Destination: '/var/run/docker.sock',
      RW: true,
      Propagation: 'rprivate',
    },
    {
      Type: 'bind',
      Source: '/srv/config',
      Destination: '/etc/stacks',
      RW: false,
      Propagation: 'rslave',
    },
    { Type: 'tmpfs', Source: '', Destination: '/cache', RW: true },
  ]
  const body = bodyOf({ HostConfig, Mounts })
  expect(body).not.toHaveProperty('Volumes')
  const host = body.HostConfig as Record<string, unknown>
  expect(host.Binds).toEqual(HostConfig.Binds.slice(0, 2))
  expect(host.Mounts).toEqual([
    { Type: 'volume', Source: 'named', Target: '/named/' },
    { Type: 'tmpfs', Target: '/cache' },
    { Type: 'volume', Source: 'a1'.repeat(32), Target: '/unnamed', ReadOnly: false },
    { Type: 'volume', Source: 'b2'.repeat(32), Target: '/of-the-image', ReadOnly: false },
    { Type: 'volume', Source: 'c3'.repeat(32), Target: '/lonely', ReadOnly: false },
    { Type: 'volume', Source: 'others', Target: '/shared', ReadOnly: true },
    {
      Type: 'bind',
      Source: '/srv/config',
      Target: '/etc/stacks',
      ReadOnly: true,
      BindOptions: { Propagation: 'rslave' },
    },
  ])
})

test('joins the same networks with the same names and addresses, the main one first', () => {
  const { networks, body } = copy({
    HostConfig: { NetworkMode: 'stacks_default' },
    NetworkSettings: {
      Networks: {
        front: {
          Aliases: ['stacks', id.slice(0, 12)],
          IPAMConfig: { IPv4Address: '10.5.0.7' },
          DriverOpts: { 'com.example': 'x' },
          GwPriority: 5,
        },
        stacks_default: { Aliases: ['stacks-service-1', 'service'], Links: ['db:database'] },
      },
    },
  })
  expect(Object.keys(networks)).toEqual(['stacks_default', 'front'])
  expect(networks).toEqual({
    stacks_default: {
      Aliases: ['stacks-service-1', 'service'],
      Links: ['db:database'],
      IPAMConfig: null,
      DriverOpts: null,
    },
    front: {
      Aliases: ['stacks'],
      Links: null,
      IPAMConfig: { IPv4Address: '10.5.0.7' },
      DriverOpts: { 'com.example': 'x' },
      GwPriority: 5,
    },
  })
  expect(body.NetworkingConfig).toEqual({ EndpointsConfig: networks })
})

test.each(['host', 'none', 'container:0123'])('joins nothing in the mode %s', (NetworkMode) => {
  const { networks, body } = copy({
    HostConfig: { NetworkMode },
    Config: { Hostname: 'name-of-the-host' },
    NetworkSettings: { Networks: { host: {} } },
  })
  expect(networks).toEqual({})
  const keepsName = NetworkMode === 'none'
  expect(body.Hostname).toBe(keepsName ? 'name-of-the-host' : undefined)
})

test('keeps links of the default network', () => {
  const HostConfig = { NetworkMode: 'bridge', Links: ['/db:/service/database', '/b:/service/b'] }
  expect(bodyOf({ HostConfig }).HostConfig).toMatchObject({ Links: ['db:database', 'b:b'] })
})
