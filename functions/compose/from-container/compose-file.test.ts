import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../../../adapters/testing/json.ts'
import { type InspectedSample, inspected } from '../testing/inspected.ts'
import { writeContainers } from './compose-file.ts'

const nothing = { containerNames: new Map<string, string>(), hidden: new Set<string>() }
const write = (sample: InspectedSample, context = nothing) =>
  writeContainers([inspected(sample)], context)

/** Returns the service of a container, without what every one has. */
function service(sample: InspectedSample): Json {
  const {
    image: _,
    container_name: _name,
    network_mode,
    ...rest
  } = parse(write(sample).compose).services.web
  return network_mode === 'bridge' ? rest : { network_mode, ...rest }
}

test('a container without choices has its image, its name and the default network', () => {
  expect(write({})).toEqual({
    compose: `services:
  web:
    image: nginx:1.29
    container_name: web
    network_mode: bridge
`,
    env: null,
    warnings: [],
  })
})

const config = (fields: Record<string, unknown>): InspectedSample => ({ config: fields })
const host = (fields: Record<string, unknown>): InspectedSample => ({ hostConfig: fields })

test.each<[string, InspectedSample, object]>([
  ['a command', config({ Cmd: ['nginx', '-t'] }), { command: ['nginx', '-t'] }],
  [
    'an entry point, which drops the command of the image',
    config({ Entrypoint: ['sh'], Cmd: null }),
    { entrypoint: ['sh'] },
  ],
  [
    'no command, though the image has one',
    config({ Cmd: null }),
    { entrypoint: ['/docker-entrypoint.sh'] },
  ],
  [
    'a user and a directory',
    config({ User: '5', WorkingDir: '/w' }),
    { user: '5', working_dir: '/w' },
  ],
  ['a name of its own', config({ Hostname: 'own' }), { hostname: 'own' }],
  ['a terminal', config({ Tty: true, OpenStdin: true }), { tty: true, stdin_open: true }],
  ['a signal', config({ StopSignal: 'SIGINT' }), { stop_signal: 'SIGINT' }],
  ['a grace period', config({ StopTimeout: 3 }), { stop_grace_period: '3s' }],
  [
    'a health check',
    config({ Healthcheck: { Test: ['CMD', 'true'], Interval: 90_000_000_000, Retries: 2 } }),
    { healthcheck: { test: ['CMD', 'true'], interval: '1m30s', retries: 2 } },
  ],
  [
    'no health check',
    config({ Healthcheck: { Test: ['NONE'] } }),
    { healthcheck: { disable: true } },
  ],
  [
    'labels, without those of the image, of docker compose and of this service',
    config({
      Labels: { maintainer: 'nginx', team: 'a$b', 'com.docker.compose.project': 'shop' },
    }),
    { labels: { team: 'a$$b' } },
  ],
  [
    'variables, and one of the image that is not set',
    config({ Env: ['PATH=/usr/bin', 'TZ=Europe/Berlin', 'SUM=5$', 'ON=true'] }),
    { environment: { TZ: 'Europe/Berlin', SUM: '5$$', ON: 'true', NGINX_VERSION: null } },
  ],
  [
    'an exposed port',
    config({ ExposedPorts: { '80/tcp': {}, '53/udp': {} } }),
    { expose: ['53/udp'] },
  ],
])('writes %s', (_what, sample, expected) => {
  expect(service(sample)).toEqual(expected)
})

test.each<[string, InspectedSample, object]>([
  [
    'ports',
    host({
      PortBindings: {
        '80/tcp': [{ HostIp: '', HostPort: '8080' }],
        '53/udp': [{ HostIp: '127.0.0.1', HostPort: '53' }],
        '81/tcp': [{ HostIp: '::1', HostPort: '' }],
        '82/tcp': [{ HostIp: '', HostPort: '' }],
      },
    }),
    { ports: ['8080:80', '127.0.0.1:53:53/udp', '[::1]::81', '82'] },
  ],
  [
    'a restart policy',
    host({ RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } }),
    { restart: 'on-failure:3' },
  ],
  [
    'limits',
    host({ NanoCpus: 1.5e9, Memory: 256 * 1024 ** 2, MemorySwap: 512 * 1024 ** 2, PidsLimit: 9 }),
    { cpus: 1.5, mem_limit: '256m', pids_limit: 9 },
  ],
  ['swap', host({ Memory: 1024, MemorySwap: -1 }), { mem_limit: '1k', memswap_limit: -1 }],
  ['little swapping', host({ MemorySwappiness: 10 }), { mem_swappiness: 10 }],
  [
    'ulimits',
    host({
      Ulimits: [
        { Name: 'nofile', Soft: 1, Hard: 2 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
    }),
    { ulimits: { nofile: { soft: 1, hard: 2 }, core: 0 } },
  ],
  [
    'devices',
    host({
      Devices: [
        { PathOnHost: '/dev/a', PathInContainer: '/dev/a', CgroupPermissions: 'rwm' },
        { PathOnHost: '/dev/b', PathInContainer: '/dev/c', CgroupPermissions: 'r' },
      ],
    }),
    { devices: ['/dev/a', '/dev/b:/dev/c:r'] },
  ],
  [
    'all graphics cards',
    host({ DeviceRequests: [{ Driver: '', Count: -1, Capabilities: [['gpu']], Options: {} }] }),
    { gpus: 'all' },
  ],
  [
    'privileges',
    host({ Privileged: true, SecurityOpt: ['label=disable'], MaskedPaths: null }),
    { privileged: true },
  ],
  [
    'security options',
    host({ CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], MaskedPaths: [] }),
    { cap_drop: ['ALL'], security_opt: ['no-new-privileges', 'systempaths=unconfined'] },
  ],
  ['an init', host({ Init: true }), { init: true }],
  [
    'a log driver',
    host({ LogConfig: { Type: 'local', Config: {} } }),
    { logging: { driver: 'local' } },
  ],
  [
    'options of the usual log driver',
    host({ LogConfig: { Type: 'json-file', Config: { 'max-size': '9m' } } }),
    { logging: { driver: 'json-file', options: { 'max-size': '9m' } } },
  ],
  ['shared memory', host({ ShmSize: 1024 ** 3 }), { shm_size: '1g' }],
  ['hosts', host({ ExtraHosts: ['a:::1', 'b:1.2.3.4'] }), { extra_hosts: ['a=::1', 'b=1.2.3.4'] }],
  ['tmpfs', host({ Tmpfs: { '/t': 'size=1m', '/u': '' } }), { tmpfs: ['/t:size=1m', '/u'] }],
  ['binds', host({ Binds: ['/a:/b:ro', '/c$:/d:rw'] }), { volumes: ['/a:/b:ro', '/c$$:/d'] }],
  [
    'mounts',
    host({
      Mounts: [
        { Type: 'bind', Source: '/a', Target: '/b', ReadOnly: true },
        { Type: 'tmpfs', Target: '/t', TmpfsOptions: { SizeBytes: 9 } },
      ],
    }),
    {
      volumes: [
        {
          type: 'bind',
          source: '/a',
          target: '/b',
          read_only: true,
          bind: { create_host_path: false },
        },
        { type: 'tmpfs', target: '/t', tmpfs: { size: 9 } },
      ],
    },
  ],
  ['the network of the host', host({ NetworkMode: 'host' }), { network_mode: 'host' }],
])('writes %s', (_what, sample, expected) => {
  expect(service(sample)).toEqual(expected)
})

test('networks and volumes exist: they are external', () => {
  const anonymous = 'ab'.repeat(32)
  const { compose, warnings } = write({
    config: { Volumes: { '/var/cache': {} } },
    hostConfig: { NetworkMode: 'proxy', Binds: ['data:/data'] },
    networks: {
      proxy: { Aliases: ['web', 'site'], IPAMConfig: { IPv4Address: '10.0.0.9' }, NetworkID: 'c' },
      back: { Aliases: null },
    },
    mounts: [
      { type: 'volume', name: 'data', source: '/v/data', destination: '/data' },
      { type: 'volume', name: anonymous, source: '/v/a', destination: '/var/cache' },
    ],
  })
  expect(parse(compose)).toMatchObject({
    services: {
      web: {
        networks: {
          proxy: { aliases: ['site'], ipv4_address: '10.0.0.9', priority: 1 },
          back: {},
        },
        volumes: ['data:/data', 'web-var-cache:/var/cache'],
      },
    },
    networks: { proxy: { external: true }, back: { external: true } },
    volumes: {
      data: { external: true },
      'web-var-cache': { external: true, name: anonymous },
    },
  })
  expect(warnings).toEqual([expect.stringContaining(anonymous)])
})

test('what a compose file cannot say is listed by its name', () => {
  const { warnings } = write({
    config: { StdinOnce: true },
    hostConfig: { AutoRemove: true, CpusetMems: '0', Future: { a: 1 } },
    isImageMoved: true,
  })
  expect(warnings.map((line) => line.replace(/^web: /, '').split(/[ :]/)[0])).toEqual([
    'image',
    'Config.StdinOnce',
    'HostConfig.AutoRemove',
    'HostConfig.CpusetMems',
    'HostConfig.Future',
  ])
})

test('values that look like secrets are in .env, each under a name of its own', () => {
  const Env = ['PATH=/usr/bin', 'NGINX_VERSION=1.29']
  const one = inspected({ config: { Env: [...Env, "DB_PASSWORD=it's $5", 'KEY_FILE=/k'] } })
  const two = inspected({ name: 'db', config: { Env: [...Env, 'DB_PASSWORD=other'] } })
  const { compose, env } = writeContainers([one, two], nothing)
  const { services } = parse(compose)
  expect(services.web.environment).toEqual({ DB_PASSWORD: '${DB_PASSWORD}', KEY_FILE: '/k' })
  expect(services.db.environment).toEqual({ DB_PASSWORD: '${DB_DB_PASSWORD}' })
  expect(env).toBe("DB_PASSWORD='it\\'s $5'\nDB_DB_PASSWORD='other'\n")
})

test('values are hidden from callers who may not read them', () => {
  const one = inspected({
    config: {
      Env: ['TZ=hush'],
      Healthcheck: { Test: ['CMD', 'hush'], Retries: 2 },
      Future: { command: ['run', '-e', 'PIN=hush'] },
    },
    hostConfig: {
      LogConfig: { Type: 'splunk', Config: { 'splunk-token': 'hush' } },
      Future: 'hush',
    },
  })
  const context = { ...nothing, hidden: new Set([one.id]) }
  const { compose, env, warnings } = writeContainers([one], context)
  expect(compose + warnings.join()).not.toContain('hush')
  expect([env, warnings.length]).toEqual([null, 5])
  expect(warnings).toContain('web: HostConfig.Future: a compose file cannot say it')
  const { environment, healthcheck, logging } = parse(compose).services.web
  expect(environment).toMatchObject({ TZ: '${TZ:?set it in .env}' })
  expect([healthcheck, logging]).toEqual([{ retries: 2 }, { driver: 'splunk' }])
})

test('a container that is named by another one becomes its service', () => {
  const db = inspected({ id: 'd'.repeat(64), name: 'db' })
  const web = inspected({
    hostConfig: {
      NetworkMode: `container:${db.id}`,
      PidMode: 'container:other',
      VolumesFrom: [`${db.id}:ro`, 'other'],
    },
  })
  const containerNames = new Map([[db.id, 'db']])
  const { compose } = writeContainers([web, db], { ...nothing, containerNames })
  expect(parse(compose).services.web).toMatchObject({
    network_mode: 'service:db',
    pid: 'container:other',
    volumes_from: ['db:ro', 'container:other'],
  })
})
