import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { service as schema } from '../load/schema/service.ts'
import { serviceParts } from '../load/schema/service-parts.ts'
import { atLeast, unsupported } from '../plan/up/refusals.ts'
import { resources } from '../policy/attributes/resources.ts'
import { pathsOf } from '../policy/attributes/table.ts'
import type { Service } from '../service.ts'
import { projectOf } from '../testing/plan-samples.ts'
import { containerBody } from './container-body.ts'

type Body = Record<string, unknown>

/** Attribute → an example, and what it adds to the body of the create call. */
const created: Record<string, [sample: Partial<Service>, body: Body]> = {
  annotations: [{ annotations: { a: 'b' } }, inHost({ Annotations: { a: 'b' } })],
  blkio_config: [
    {
      blkio_config: {
        weight: 300,
        weight_device: [{ Path: '/dev/a', Weight: 9 }],
        device_read_bps: [{ Path: '/dev/a', Rate: '1024' }],
        device_read_iops: [{ Path: '/dev/a', Rate: '1' }],
        device_write_bps: [{ Path: '/dev/a', Rate: '2' }],
        device_write_iops: [{ Path: '/dev/a', Rate: '3' }],
      },
    },
    inHost({
      BlkioWeight: 300,
      BlkioWeightDevice: [{ Path: '/dev/a', Weight: 9 }],
      BlkioDeviceReadBps: [{ Path: '/dev/a', Rate: 1024 }],
      BlkioDeviceReadIOps: [{ Path: '/dev/a', Rate: 1 }],
      BlkioDeviceWriteBps: [{ Path: '/dev/a', Rate: 2 }],
      BlkioDeviceWriteIOps: [{ Path: '/dev/a', Rate: 3 }],
    }),
  ],
  cap_add: [{ cap_add: ['NET_ADMIN'] }, inHost({ CapAdd: ['NET_ADMIN'] })],
  cap_drop: [{ cap_drop: ['ALL'] }, inHost({ CapDrop: ['ALL'] })],
  cgroup: [{ cgroup: 'private' }, inHost({ CgroupnsMode: 'private' })],
  cgroup_parent: [{ cgroup_parent: '/mine' }, inHost({ CgroupParent: '/mine' })],
  command: [{ command: ['a', 'b'] }, { Cmd: ['a', 'b'] }],
  configs: [
    { configs: [{ source: 'c' }] },
    inHost({ Mounts: [{ Type: 'bind', Source: '/srv/c', Target: '/c', ReadOnly: true }] }),
  ],
  cpu_count: [{ cpu_count: 2 }, inHost({ CpuCount: 2 })],
  cpu_percent: [{ cpu_percent: 50 }, inHost({ CpuPercent: 50 })],
  cpu_period: [{ cpu_period: 100000 }, inHost({ CpuPeriod: 100000 })],
  cpu_quota: [{ cpu_quota: 50000 }, inHost({ CpuQuota: 50000 })],
  cpu_rt_period: [{ cpu_rt_period: 1000 }, inHost({ CpuRealtimePeriod: 1000 })],
  cpu_rt_runtime: [{ cpu_rt_runtime: 900 }, inHost({ CpuRealtimeRuntime: 900 })],
  cpu_shares: [{ cpu_shares: 512 }, inHost({ CpuShares: 512 })],
  cpus: [{ cpus: 1.5 }, inHost({ NanoCpus: 1_500_000_000 })],
  cpuset: [{ cpuset: '0-1' }, inHost({ CpusetCpus: '0-1' })],
  deploy: [
    {
      deploy: {
        resources: {
          limits: { cpus: 0.5, memory: '1024', pids: 9 },
          reservations: { memory: '512', devices: [{ capabilities: ['gpu'], count: 1 }] },
        },
        restart_policy: { condition: 'on-failure', max_attempts: 2 },
        placement: {},
      },
    },
    inHost({
      NanoCpus: 500_000_000,
      Memory: 1024,
      PidsLimit: 9,
      MemoryReservation: 512,
      DeviceRequests: [{ Count: 1, Capabilities: [['gpu']] }],
      RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 },
    }),
  ],
  device_cgroup_rules: [
    { device_cgroup_rules: ['c 1:3 mr'] },
    inHost({ DeviceCgroupRules: ['c 1:3 mr'] }),
  ],
  devices: [
    {
      devices: [
        { source: '/dev/a', target: '/dev/b', permissions: 'r' },
        { source: 'v.com/c=all' },
      ],
    },
    inHost({
      Devices: [{ PathOnHost: '/dev/a', PathInContainer: '/dev/b', CgroupPermissions: 'r' }],
      DeviceRequests: [{ Driver: 'cdi', DeviceIDs: ['v.com/c=all'] }],
    }),
  ],
  dns: [{ dns: ['1.1.1.1'] }, inHost({ Dns: ['1.1.1.1'] })],
  dns_opt: [{ dns_opt: ['use-vc'] }, inHost({ DnsOptions: ['use-vc'] })],
  dns_search: [{ dns_search: ['a.b'] }, inHost({ DnsSearch: ['a.b'] })],
  domainname: [{ domainname: 'd' }, { Domainname: 'd' }],
  entrypoint: [{ entrypoint: ['e'] }, { Entrypoint: ['e'] }],
  environment: [{ environment: { A: '1', B: null } }, { Env: ['A=1', 'B'] }],
  expose: [{ expose: ['80', '90-91/udp'] }, { ExposedPorts: { '80/tcp': {}, '91/udp': {} } }],
  external_links: [{ external_links: ['other:o'] }, inEndpoint({ Links: ['other:o'] })],
  extra_hosts: [
    { extra_hosts: ['g=host-gateway', 'v6=::1'] },
    inHost({ ExtraHosts: ['g:host-gateway', 'v6:::1'] }),
  ],
  gpus: [
    { gpus: [{ count: -1, driver: 'nvidia' }] },
    inHost({ DeviceRequests: [{ Driver: 'nvidia', Count: -1, Capabilities: [['gpu']] }] }),
  ],
  group_add: [{ group_add: ['5'] }, inHost({ GroupAdd: ['5'] })],
  healthcheck: [
    { healthcheck: { test: ['CMD', 'x'], start_period: '2s', start_interval: '1s', retries: 2 } },
    {
      Healthcheck: {
        Test: ['CMD', 'x'],
        StartPeriod: 2_000_000_000,
        StartInterval: 1_000_000_000,
        Retries: 2,
      },
    },
  ],
  hostname: [{ hostname: 'h' }, { Hostname: 'h' }],
  init: [{ init: true }, inHost({ Init: true })],
  ipc: [{ ipc: 'shareable' }, inHost({ IpcMode: 'shareable' })],
  labels: [{ labels: { a: 'b' } }, { Labels: { a: 'b' } }],
  links: [
    { links: ['db:d'] },
    inEndpoint({ Links: ['shop-db-1:d', 'shop-db-1:db-1', 'shop-db-1:shop-db-1'] }),
  ],
  logging: [
    { logging: { driver: 'local', options: { a: 'b' } } },
    inHost({ LogConfig: { Type: 'local', Config: { a: 'b' } } }),
  ],
  mac_address: [{ mac_address: '02:00:00:00:00:01' }, { MacAddress: '02:00:00:00:00:01' }],
  mem_limit: [{ mem_limit: '1024' }, inHost({ Memory: 1024 })],
  mem_reservation: [{ mem_reservation: '512' }, inHost({ MemoryReservation: 512 })],
  mem_swappiness: [{ mem_swappiness: '0' }, inHost({ MemorySwappiness: 0 })],
  memswap_limit: [{ memswap_limit: '-1' }, inHost({ MemorySwap: -1 })],
  network_mode: [{ network_mode: 'host' }, inHost({ NetworkMode: 'host' })],
  networks: [
    {
      networks: {
        default: {
          aliases: ['a'],
          ipv4_address: '10.0.0.9',
          ipv6_address: 'fd::9',
          link_local_ips: ['169.254.1.1'],
          mac_address: '02:00:00:00:00:02',
          driver_opts: { x: 'y' },
        },
      },
    },
    inEndpoint({
      Aliases: ['shop-web-1', 'web', 'a'],
      IPAMConfig: { IPv4Address: '10.0.0.9', IPv6Address: 'fd::9', LinkLocalIPs: ['169.254.1.1'] },
      DriverOpts: { x: 'y' },
    }),
  ],
  oom_kill_disable: [{ oom_kill_disable: true }, inHost({ OomKillDisable: true })],
  oom_score_adj: [{ oom_score_adj: -5 }, inHost({ OomScoreAdj: -5 })],
  pid: [{ pid: 'host' }, inHost({ PidMode: 'host' })],
  pids_limit: [{ pids_limit: -1 }, inHost({ PidsLimit: -1 })],
  ports: [
    { ports: [{ target: 80, published: '8080-8081', host_ip: '127.0.0.1', protocol: 'udp' }] },
    {
      ExposedPorts: { '80/udp': {} },
      ...inHost({ PortBindings: { '80/udp': [{ HostIp: '127.0.0.1', HostPort: '8080-8081' }] } }),
    },
  ],
  privileged: [{ privileged: true }, inHost({ Privileged: true })],
  read_only: [{ read_only: true }, inHost({ ReadonlyRootfs: true })],
  restart: [
    { restart: 'on-failure:3' },
    inHost({ RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } }),
  ],
  runtime: [{ runtime: 'runsc' }, inHost({ Runtime: 'runsc' })],
  secrets: [
    { secrets: [{ source: 's', target: 'key' }] },
    inHost({ Mounts: [{ Source: '/srv/s', Target: '/run/secrets/key', ReadOnly: true }] }),
  ],
  security_opt: [
    { security_opt: ['seccomp:p.json', 'label:disable', 'apparmor=a'] },
    inHost({ SecurityOpt: ['seccomp={"a":1}', 'label:disable', 'apparmor=a'] }),
  ],
  shm_size: [{ shm_size: '1024' }, inHost({ ShmSize: 1024 })],
  stdin_open: [{ stdin_open: true }, { OpenStdin: true }],
  stop_grace_period: [{ stop_grace_period: '1m30s' }, { StopTimeout: 90 }],
  stop_signal: [{ stop_signal: 'SIGINT' }, { StopSignal: 'SIGINT' }],
  storage_opt: [{ storage_opt: { size: '1G' } }, inHost({ StorageOpt: { size: '1G' } })],
  sysctls: [{ sysctls: { a: '1' } }, inHost({ Sysctls: { a: '1' } })],
  tmpfs: [
    { tmpfs: ['/a:size=1m,mode=700', '/b'] },
    inHost({ Tmpfs: { '/a': 'size=1m,mode=700', '/b': '' } }),
  ],
  tty: [{ tty: true }, { Tty: true }],
  ulimits: [
    { ulimits: { nofile: { soft: 1, hard: 2 } } },
    inHost({ Ulimits: [{ Name: 'nofile', Soft: 1, Hard: 2 }] }),
  ],
  user: [{ user: '7:8' }, { User: '7:8' }],
  userns_mode: [{ userns_mode: 'host' }, inHost({ UsernsMode: 'host' })],
  uts: [{ uts: 'host' }, inHost({ UTSMode: 'host' })],
  volume_driver: [{ volume_driver: 'd' }, inHost({ VolumeDriver: 'd' })],
  volumes: [
    { volumes: [{ type: 'bind', source: '/a', target: '/b', read_only: true }] },
    inHost({ Binds: ['/a:/b:ro'] }),
  ],
  volumes_from: [{ volumes_from: ['container:x:ro'] }, inHost({ VolumesFrom: ['x:ro'] })],
  working_dir: [{ working_dir: '/w' }, { WorkingDir: '/w' }],
}

/**
 * Attributes that affect the plan rather than the container, or that name things. They have their
 * own tests.
 */
const planned = [
  ...['build', 'container_name', 'depends_on', 'image', 'platform', 'profiles', 'pull_policy'],
  ...['scale', 'pre_start', 'post_start', 'pre_stop'],
]
/** Attributes that the loader resolves. */
const loaded = ['env_file', 'extends', 'label_file']

/** Attribute → an example that is refused. */
const refused: Record<string, Partial<Service>> = {
  credential_spec: { credential_spec: { file: 'a' } },
  isolation: { isolation: 'hyperv' },
  models: { models: { a: null } },
  provider: { provider: { type: 'a' } },
  use_api_socket: { use_api_socket: true },
  pull_refresh_after: { pull_policy: 'refresh' },
}

/** Attributes that only Swarm or other tools use. */
const ignored: Record<string, Partial<Service>> = {
  attach: { attach: false },
  develop: { develop: { watch: [] } },
}

function inHost(body: Body): Body {
  return { HostConfig: body }
}

function inEndpoint(body: Body): Body {
  return { NetworkingConfig: { EndpointsConfig: { shop_default: body } } }
}

const project = (web: Partial<Service>) => ({
  ...projectOf({ web, db: {} }),
  configs: { c: { name: 'c', file: '/srv/c' } },
  secrets: { s: { name: 's', file: '/srv/s' } },
  seccomp_profiles: { 'p.json': '{"a":1}' },
})

const bodyOf = (web: Partial<Service>, apiVersion: string) => {
  const draft = { service: 'web', number: 1, image: 'web', hash: 'h', inherited: {} }
  return containerBody(project(web), { ...draft, allNetworks: atLeast(apiVersion, '1.44') })
}

/** The rows of the table in the docs: attribute → its support. */
const documented = new Map(
  [...readFileSync('docs/compose.md', 'utf8').matchAll(/^\| `([a-z_]+)` \| ([^|]+) \|/gm)].map(
    ([, name, support]) => [present(name), present(support).trim()] as const,
  ),
)

describe('every attribute of the schema', () => {
  const names = Object.keys(schema.properties as object).sort()

  test('is implemented here and documented', () => {
    const groups = [
      Object.keys(created),
      planned,
      loaded,
      Object.keys(refused),
      Object.keys(ignored),
    ]
    expect(groups.flat().sort()).toEqual(names)
    expect(names.filter((name) => !documented.has(name))).toEqual([])
  })

  test('is documented in the right group', () => {
    const said = (...words: string[]) =>
      names.filter((name) => words.some((word) => documented.get(name)?.startsWith(word)))
    expect(said('yes', 'from API')).toEqual([...Object.keys(created), ...planned].sort())
    expect(said('loader')).toEqual(loaded)
    expect(said('refused')).toEqual(Object.keys(refused).sort())
    expect(said('no effect')).toEqual(Object.keys(ignored))
  })
})

test('every attribute of a build is documented', () => {
  const build = Object.keys(present(serviceParts.build).properties as object)
  const rows = readFileSync('docs/compose.md', 'utf8').matchAll(/^\| `build\.([a-z_]+)` \|/gm)
  expect([...rows].map(([, name]) => name)).toEqual(build.sort())
})

test('every attribute of networks, volumes, secrets and configs is documented', () => {
  const paths = resources.groups.flatMap((group) => pathsOf(resources, group))
  const rows = readFileSync('docs/compose.md', 'utf8').match(/^\| `[a-z]+\.\*\..*$/gm) ?? []
  const said = rows.flatMap((row) => present(row.split(' | ')[0]).match(/[a-z][a-z0-9_.*]+/g) ?? [])
  expect(said.sort()).toEqual(paths.sort())
})

describe.each(['1.41', '1.47'])('API %s', (apiVersion) => {
  test.each(Object.entries(created))('%s', (name, [sample, body]) => {
    const [, needed] = /^from API ([\d.]+)/.exec(documented.get(name) ?? '') ?? []
    const messages = unsupported(project(sample), apiVersion)
    if (needed && !atLeast(apiVersion, needed)) {
      expect(messages).toEqual([
        `services.web.${name}: needs an Engine with API ${needed}, this one has ${apiVersion}`,
      ])
      return
    }
    const moved = name === 'mac_address' && apiVersion === '1.47'
    expect(bodyOf(sample, apiVersion)).toMatchObject(moved ? inEndpoint(body) : body)
    if (name !== 'healthcheck') expect(messages).toEqual([])
  })
})

test.each(Object.entries(refused))('rejects %s by name', (name, sample) => {
  const path = name === 'pull_refresh_after' ? 'pull_policy' : name
  expect(unsupported(project(sample), '1.49')[0]).toMatch(`services.web.${path}: `)
})

test.each(Object.entries(ignored))('%s does not change the container', (_name, sample) => {
  expect(unsupported(project(sample), '1.41')).toEqual([])
  expect(bodyOf(sample, '1.41')).toEqual(bodyOf({}, '1.41'))
})

describe('parts that need a newer Engine', () => {
  const volume = { type: 'volume' as const, source: 'v', target: '/v' }
  const bind = { type: 'bind' as const, source: '/b', target: '/b' }
  const check = { test: ['CMD', 'x'], start_period: '2s', start_interval: '1s' }
  test.each<[string, string, Partial<Service>]>([
    ['healthcheck.start_interval', '1.44', { healthcheck: check }],
    ['volumes[0].volume.subpath', '1.45', { volumes: [{ ...volume, volume: { subpath: 'a' } }] }],
    [
      'volumes[0].bind.recursive',
      '1.44',
      { volumes: [{ ...bind, bind: { recursive: 'disabled' } }] },
    ],
    ['volumes[0]', '1.48', { volumes: [{ type: 'image', source: 'i', target: '/i' }] }],
    ['networks.default.gw_priority', '1.48', { networks: { default: { gw_priority: 1 } } }],
    ['networks.default.interface_name', '1.49', { networks: { default: { interface_name: 'e' } } }],
    [
      'networks.default.mac_address',
      '1.44',
      { networks: { a: { priority: 1 }, default: { mac_address: '02:00:00:00:00:01' } } },
    ],
  ])('%s: API %s', (path, needed, sample) => {
    const [major, minor] = needed.split('.').map(Number)
    const older = `${major}.${present(minor) - 1}`
    expect(unsupported(project(sample), older)).toEqual([
      `services.web.${path}: needs an Engine with API ${needed}, this one has ${older}`,
    ])
    expect(unsupported(project(sample), needed)).toEqual([])
    expect(readFileSync('docs/compose.md', 'utf8')).toContain(`API ${needed}`)
  })
})
