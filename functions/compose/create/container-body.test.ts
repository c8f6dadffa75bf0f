import { describe, expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import { projectOf } from '../testing/plan-samples.ts'
import { type ContainerDraft, containerBody } from './container-body.ts'

function body(web: Partial<Service>, draft: Partial<ContainerDraft> = {}, rest?: Partial<Project>) {
  const base = { service: 'web', number: 1, image: 'web', hash: 'h', inherited: {} }
  return containerBody(projectOf({ web }, rest), { ...base, allNetworks: false, ...draft }) as Json
}

const host = (web: Partial<Service>, rest?: Partial<Project>) => body(web, {}, rest).HostConfig

test('an empty service leaves everything to the Engine and the image', () => {
  expect(body({})).toEqual({
    Image: 'web',
    AttachStdout: true,
    AttachStderr: true,
    Labels: {
      'com.docker.compose.project': 'shop',
      'com.docker.compose.service': 'web',
      'com.docker.compose.container-number': '1',
      'com.docker.compose.oneoff': 'False',
      'com.docker.compose.config-hash': 'h',
      'com.docker.compose.depends_on': '',
      'com.docker.compose.project.config_files': '/srv/shop/compose.yaml',
      'com.docker.compose.project.working_dir': '/srv/shop',
      'com.docker.compose.version': expect.any(String),
    },
    HostConfig: { NetworkMode: 'shop_default', ExtraHosts: [], PortBindings: {} },
    NetworkingConfig: {
      EndpointsConfig: { shop_default: { Aliases: ['shop-web-1', 'web'] } },
    },
  })
})

describe('process', () => {
  test('sets command, entrypoint and environment, and unsets a variable without a value', () => {
    const made = body({ command: ['a'], entrypoint: [], environment: { A: '1', B: null, C: '' } })
    expect(made).toMatchObject({ Cmd: ['a'], Entrypoint: [], Env: ['A=1', 'B', 'C='] })
  })

  test('durations: whole seconds for the grace period, nanoseconds for health checks', () => {
    const healthcheck = { test: ['CMD', 'x'], interval: '1m30s', timeout: '500ms', retries: 3 }
    const made = body({ healthcheck, stop_grace_period: '1500ms' })
    expect(made.StopTimeout).toBe(1)
    expect(made.Healthcheck).toEqual({
      Test: ['CMD', 'x'],
      Interval: 90_000_000_000,
      Timeout: 500_000_000,
      Retries: 3,
    })
    expect(body({ healthcheck: { disable: true } }).Healthcheck).toEqual({ Test: ['NONE'] })
  })

  test.each([
    ['-1s', -1, -1_000_000_000],
    ['-1m30s', -90, -90_000_000_000],
    ['-1.5s', -1, -1_500_000_000],
    ['0s', 0, 0],
  ])('a duration of %s keeps its sign, as in docker compose', (duration, timeout, interval) => {
    const made = body({
      healthcheck: { test: ['CMD', 'x'], interval: duration },
      stop_grace_period: duration,
    })
    expect([made.StopTimeout, made.Healthcheck.Interval]).toEqual([timeout, interval])
  })

  test('keeps own labels and adds dependencies and the replaced container', () => {
    const depends_on = {
      db: { condition: 'service_healthy', required: true } as const,
      a: { condition: 'service_started', required: false, restart: true } as const,
    }
    const { Labels } = body({ labels: { mine: '1' }, depends_on }, { replaces: 'shop-web-1' })
    expect(Labels).toMatchObject({
      mine: '1',
      'com.docker.compose.depends_on': 'a:service_started:true,db:service_healthy:false',
      'com.docker.compose.replace': 'shop-web-1',
    })
  })
})

describe('mounts', () => {
  const volumes = { data: { name: 'shop_data' } }

  test('puts binds that create their path and plain named volumes into Binds', () => {
    const made = host(
      {
        volumes: [
          { type: 'bind', source: '/a', target: '/b', bind: { selinux: 'z' }, read_only: true },
          { type: 'bind', source: '/c', target: '/d' },
          { type: 'volume', source: 'data', target: '/e', volume: {} },
        ],
      },
      { volumes },
    )
    expect(made.Binds).toEqual(['/a:/b:ro,z', '/c:/d:rw', 'shop_data:/e:rw'])
    expect(made.Mounts).toBeUndefined()
  })

  test('puts mounts with other options into Mounts', () => {
    const made = host(
      {
        volumes: [
          { type: 'bind', source: '/a', target: '/b', bind: { create_host_path: false } },
          { type: 'volume', source: 'data', target: '/e', volume: { nocopy: true } },
          { type: 'volume', target: '/anonymous' },
          { type: 'tmpfs', target: '/t', tmpfs: { size: '1024', mode: 448 } },
          { type: 'tmpfs', target: '/u' },
        ],
      },
      { volumes },
    )
    expect(made.Mounts).toEqual([
      { Type: 'bind', Source: '/a', Target: '/b', BindOptions: {} },
      { Type: 'volume', Source: 'shop_data', Target: '/e', VolumeOptions: { NoCopy: true } },
      { Type: 'volume', Target: '/anonymous', VolumeOptions: {} },
      { Type: 'tmpfs', Target: '/t', TmpfsOptions: { SizeBytes: 1024, Mode: 448 } },
      { Type: 'tmpfs', Target: '/u' },
    ])
  })

  test('mounts secrets and configs from files read-only', () => {
    const made = host(
      { secrets: [{ source: 's' }, { source: 's', target: 'key' }], configs: [{ source: 'c' }] },
      {
        secrets: { s: { name: 's', file: '/srv/s' } },
        configs: { c: { name: 'c', file: '/srv/c' } },
      },
    )
    expect(made.Mounts.map(({ Target }: { Target: string }) => Target)).toEqual([
      '/c',
      '/run/secrets/s',
      '/run/secrets/key',
    ])
    expect(made.Mounts[0]).toEqual({ Type: 'bind', Source: '/srv/c', Target: '/c', ReadOnly: true })
  })

  test('inherited volumes replace anonymous ones and stay where the image declares them', () => {
    const inherited = { '/own': 'v1', '/image': 'v2', '/taken': 'v3' }
    const web: Partial<Service> = {
      tmpfs: ['/taken:size=1m'],
      volumes: [{ type: 'volume', target: '/own' }],
    }
    const made = body(web, { inherited }).HostConfig
    expect(made.Mounts).toEqual([
      { Type: 'volume', Source: 'v1', Target: '/own' },
      { Type: 'volume', Source: 'v2', Target: '/image' },
    ])
    expect(made.Tmpfs).toEqual({ '/taken': 'size=1m' })
  })
})

describe('networks', () => {
  const networks = { back: { name: 'shop_back', ipam: {} } }
  const both = { default: null, back: { priority: 9, aliases: ['api'], ipv4_address: '10.1.0.9' } }

  test('the network with the highest priority comes first, and before API 1.44 alone', () => {
    const made = body({ networks: both, mac_address: '02:00:00:00:00:01' }, {}, { networks })
    expect(made.HostConfig.NetworkMode).toBe('shop_back')
    expect(made.MacAddress).toBe('02:00:00:00:00:01')
    expect(made.NetworkingConfig.EndpointsConfig).toEqual({
      shop_back: {
        Aliases: ['shop-web-1', 'web', 'api'],
        IPAMConfig: { IPv4Address: '10.1.0.9' },
      },
    })
  })

  test('from API 1.44 on sets all networks, and the MAC address on the endpoint', () => {
    const draft = { allNetworks: true }
    const made = body({ networks: both, mac_address: '02:00:00:00:00:01' }, draft, { networks })
    expect(made.MacAddress).toBeUndefined()
    expect(Object.keys(made.NetworkingConfig.EndpointsConfig)).toEqual([
      'shop_back',
      'shop_default',
    ])
    expect(made.NetworkingConfig.EndpointsConfig.shop_back.MacAddress).toBe('02:00:00:00:00:01')
  })

  test('sets an explicit network mode, or none without networks', () => {
    expect(host({ network_mode: 'host' }).NetworkMode).toBe('host')
    expect(host({ networks: {} }).NetworkMode).toBe('none')
  })

  test('exposes and binds ports, and expands ranges of expose', () => {
    const made = body({
      ports: [
        { target: 80, published: '8080', protocol: 'tcp' },
        { target: 80, host_ip: '::1', protocol: 'tcp' },
      ],
      expose: ['90-91/udp', '70'],
    })
    expect(Object.keys(made.ExposedPorts)).toEqual(['80/tcp', '90/udp', '91/udp', '70/tcp'])
    expect(made.HostConfig.PortBindings).toEqual({
      '80/tcp': [
        { HostIp: '', HostPort: '8080' },
        { HostIp: '::1', HostPort: '' },
      ],
    })
  })
})

describe('limits and privileges', () => {
  test('deploy overrides the older attributes', () => {
    const made = host({
      mem_limit: '1',
      cpus: 2,
      deploy: {
        resources: { limits: { cpus: 0.5, memory: '67108864', pids: 9 } },
        restart_policy: { condition: 'on-failure', max_attempts: 3 },
        placement: {},
      },
    })
    expect(made).toMatchObject({ Memory: 67108864, NanoCpus: 500_000_000, PidsLimit: 9 })
    expect(made.RestartPolicy).toEqual({ Name: 'on-failure', MaximumRetryCount: 3 })
  })

  test('sets the restart policy', () => {
    expect(host({ restart: 'on-failure:5' }).RestartPolicy).toEqual({
      Name: 'on-failure',
      MaximumRetryCount: 5,
    })
    expect(host({ restart: 'unless-stopped' }).RestartPolicy).toEqual({
      Name: 'unless-stopped',
      MaximumRetryCount: 0,
    })
  })

  test('a restart policy of deploy without a condition is empty, as in docker compose', () => {
    const restart_policy = { max_attempts: 4 }
    const made = host({
      restart: 'always',
      deploy: { resources: {}, restart_policy, placement: {} },
    })
    expect(made.RestartPolicy).toEqual({ Name: '', MaximumRetryCount: 4 })
  })

  test('a bind keeps its SELinux label and propagation, and creates its path', () => {
    const volumes: Service['volumes'] = [
      { type: 'bind', source: '/a', target: '/b', bind: { selinux: 'Z', propagation: 'shared' } },
    ]
    expect(host({ volumes }).Binds).toEqual(['/a:/b:rw,Z,shared'])
  })

  test('a link names each container of its service, with the number of the linking container', () => {
    const project = projectOf({ web: { links: ['db:d'] }, db: { scale: 2 } })
    const draft = { service: 'web', number: 3, image: 'web', hash: 'h', inherited: {} }
    const made: Json = containerBody(project, { ...draft, allNetworks: false })
    expect(made.NetworkingConfig.EndpointsConfig.shop_default.Links).toEqual([
      ...['shop-db-1:d', 'shop-db-1:db-3', 'shop-db-1:shop-db-3'],
      ...['shop-db-2:d', 'shop-db-2:db-3', 'shop-db-2:shop-db-3'],
    ])
  })

  test('sets empty values instead of none where docker compose does', () => {
    expect(host({})).toMatchObject({ ExtraHosts: [], PortBindings: {} })
  })

  test('sets ulimits, devices and extra hosts', () => {
    const made = host({
      ulimits: { nproc: 9, nofile: { soft: 1, hard: 2 } },
      devices: [{ source: '/dev/null', target: '/dev/n', permissions: 'r' }],
      gpus: [{ count: -1 }],
      extra_hosts: ['h=10.0.0.1', 'v6=::1'],
    })
    expect(made.Ulimits).toEqual([
      { Name: 'nofile', Soft: 1, Hard: 2 },
      { Name: 'nproc', Soft: 9, Hard: 9 },
    ])
    expect(made.Devices).toEqual([
      { PathOnHost: '/dev/null', PathInContainer: '/dev/n', CgroupPermissions: 'r' },
    ])
    expect(made.DeviceRequests).toEqual([{ Count: -1, Capabilities: [['gpu']] }])
    expect(made.ExtraHosts).toEqual(['h:10.0.0.1', 'v6:::1'])
  })

  test('sets security options and turns systempaths=unconfined into empty masked paths', () => {
    const made = host({
      security_opt: ['no-new-privileges:true', 'systempaths=unconfined'],
      privileged: true,
      cap_add: ['NET_ADMIN'],
    })
    expect(made).toMatchObject({ Privileged: true, CapAdd: ['NET_ADMIN'], MaskedPaths: [] })
    expect(made.SecurityOpt).toEqual(['no-new-privileges:true'])
  })
})
