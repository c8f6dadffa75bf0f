import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { containerBody } from '../create/container-body.ts'
import { load } from '../load/load.ts'
import { composeInput } from '../testing/compose-input.ts'
import { type InspectedSample, inspected } from '../testing/inspected.ts'
import { writeContainers } from './compose-file.ts'

const context = { containerNames: new Map<string, string>(), hidden: new Set<string>() }

/** Returns the body by which a deploy of the written files creates the container. */
function deployed(sample: InspectedSample): Json {
  const { compose, env } = writeContainers([inspected(sample)], context)
  const files = { 'compose.yaml': compose, ...(env !== null && { '.env': env }) }
  const { project } = load(composeInput(files, { reach: 'host' }))
  const draft = { service: 'web', number: 1, image: 'nginx:1.29', hash: 'h', inherited: {} }
  return containerBody(project, { ...draft, allNetworks: true })
}

test.each<[string, Record<string, unknown>]>([
  ['a command', { Cmd: ['sh', '-c', 'echo "$HOME" ${A} $$'] }],
  ['an entry point', { Entrypoint: ['/bin/sh', '-c'], Cmd: ['x'] }],
  ['a user', { User: '1000:1000', WorkingDir: '/srv', Hostname: 'own', Domainname: 'lan' }],
  ['a terminal', { Tty: true, OpenStdin: true }],
  ['a signal', { StopSignal: 'SIGINT', StopTimeout: 30 }],
  ['a health check', { Healthcheck: { Test: ['CMD', 'x'], Interval: 1_500_000_000, Retries: 4 } }],
  ['no health check', { Healthcheck: { Test: ['NONE'] } }],
])('a deploy creates it with %s of its Config', (_what, config) => {
  expect(deployed({ config })).toMatchObject(config)
})

test.each([
  'PLAIN=a b',
  'DOLLARS=$A ${B} $$',
  'NUMBER=1_000',
  'DATE=2026-11-30',
  'YES=yes',
  'EMPTY=',
  'LINES=a\nb\n',
  'QUOTES="a" \'b\'',
  'DB_PASSWORD=$a\'b" #c\\d',
  "DB_PASSWORD=a\\'b",
  'URL=postgres://shop:p$w@db/shop',
])('a deploy gives it the variable %j', (line) => {
  const Env = ['PATH=/usr/bin', 'NGINX_VERSION=1.29', line]
  expect(deployed({ config: { Env } }).Env).toEqual([line])
})

const networks = { lan: { Aliases: ['web'], NetworkID: 'c' } }

test.each<[string, Record<string, unknown>]>([
  [
    'ports',
    {
      PortBindings: {
        '80/tcp': [
          { HostIp: '127.0.0.1', HostPort: '8080' },
          { HostIp: '::1', HostPort: '8080' },
        ],
        '53/udp': [{ HostIp: '', HostPort: '' }],
        '90/tcp': [{ HostIp: '', HostPort: '9000-9010' }],
      },
    },
  ],
  ['a restart policy', { RestartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 } }],
  ['limits', { Memory: 300_000_000, MemoryReservation: 1024 ** 3, MemorySwap: -1, CpuShares: 5 }],
  ['processors', { NanoCpus: 500_000_000, CpusetCpus: '0-1', CpuQuota: 5, CpuPeriod: 1000 }],
  ['swappiness', { MemorySwappiness: 10, PidsLimit: -1, OomScoreAdj: -5, OomKillDisable: true }],
  ['ulimits', { Ulimits: [{ Name: 'nofile', Soft: 10, Hard: 20 }] }],
  [
    'devices',
    {
      Devices: [{ PathOnHost: '/dev/a', PathInContainer: '/dev/b', CgroupPermissions: 'rw' }],
      DeviceCgroupRules: ['c 1:3 mr'],
    },
  ],
  ['block devices', { BlkioWeight: 300, BlkioDeviceReadBps: [{ Path: '/dev/a', Rate: 1048576 }] }],
  ['graphics cards', { DeviceRequests: [{ Count: -1, Capabilities: [['gpu']] }] }],
  [
    'other devices',
    {
      DeviceRequests: [{ Driver: 'x', Count: 2, Capabilities: [['tpu', 'a']] }],
      MemoryReservation: 1024,
    },
  ],
  ['capabilities', { CapAdd: ['NET_ADMIN'], CapDrop: ['ALL'], GroupAdd: ['audio', '44'] }],
  ['security options', { SecurityOpt: ['no-new-privileges', 'apparmor=unconfined'] }],
  ['a profile', { SecurityOpt: ['seccomp={"defaultAction":"$x"}'] }],
  ['open system paths', { MaskedPaths: [], ReadonlyPaths: [] }],
  ['sysctls', { Sysctls: { 'net.core.somaxconn': '1024' } }],
  ['names', { Dns: ['1.1.1.1'], DnsSearch: ['lan'], ExtraHosts: ['a:1.2.3.4', 'b:::1'] }],
  ['namespaces', { PidMode: 'host', IpcMode: 'host', UTSMode: 'host', CgroupnsMode: 'host' }],
  ['a log driver', { LogConfig: { Type: 'local', Config: { 'max-size': '10m' } } }],
  ['a read-only root', { ReadonlyRootfs: true, Init: true, ShmSize: 128 * 1024 ** 2 }],
  ['an annotation', { Annotations: { a: 'b' }, StorageOpt: { size: '1G' }, Runtime: 'other' }],
  ['binds', { Binds: ['/a:/b:ro,z', '/c:/d:rw,rshared', 'data:/data:rw'] }],
  ['tmpfs', { Tmpfs: { '/t': 'size=1m,mode=700', '/u': '' } }],
  [
    'mounts',
    {
      Mounts: [
        { Type: 'bind', Source: '/a', Target: '/b', ReadOnly: true },
        { Type: 'volume', Source: 'data', Target: '/d', VolumeOptions: { Subpath: 'x' } },
        { Type: 'tmpfs', Target: '/t', TmpfsOptions: { SizeBytes: 1024, Mode: 448 } },
      ],
    },
  ],
  ['a link', { Links: ['/db:/web/database'] }],
  ['a network mode', { NetworkMode: 'none' }],
])('a deploy creates it with %s of its HostConfig', (_what, hostConfig) => {
  const { Links, ...rest } = hostConfig
  const expected = Links === undefined ? rest : { Links: ['db:database'] }
  expect(deployed({ hostConfig }).HostConfig).toMatchObject(expected)
})

test('a deploy puts it into its networks, the same one first', () => {
  const found = {
    ...networks,
    back: {
      Aliases: ['api'],
      IPAMConfig: { IPv4Address: '10.0.0.9' },
      DriverOpts: { 'com.docker.network.endpoint.ifname': 'eth7' },
    },
  }
  const body = deployed({ hostConfig: { NetworkMode: 'lan' }, networks: found })
  expect(body.HostConfig.NetworkMode).toBe('lan')
  expect(body.NetworkingConfig.EndpointsConfig).toMatchObject({
    lan: { Aliases: ['web', 'web'] },
    back: {
      Aliases: ['web', 'web', 'api'],
      IPAMConfig: { IPv4Address: '10.0.0.9' },
      DriverOpts: { 'com.docker.network.endpoint.ifname': 'eth7' },
    },
  })
})
