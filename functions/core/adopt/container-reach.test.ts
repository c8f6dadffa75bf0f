import { expect, test } from 'vitest'
import type { ContainerAccess } from '../records/container.ts'
import { containerReach } from './container-reach.ts'

const directory = '/opt/stacks/shop'
const place = { directory, containers: new Set(['c0ffee', 'shop-db-1']) }

/** What Engine 20.10 reports for a container that was created with only an image. */
const plain = {
  Binds: null,
  ContainerIDFile: '',
  LogConfig: { Type: 'json-file', Config: {} },
  NetworkMode: 'shop_default',
  PortBindings: {},
  AutoRemove: false,
  VolumeDriver: '',
  RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
  VolumesFrom: null,
  CapAdd: null,
  ConsoleSize: [0, 0],
  CapDrop: null,
  CgroupnsMode: 'private',
  Dns: [],
  ExtraHosts: null,
  IpcMode: 'private',
  Cgroup: '',
  Links: null,
  OomScoreAdj: 0,
  PidMode: '',
  UTSMode: '',
  Privileged: false,
  SecurityOpt: null,
  UsernsMode: '',
  ShmSize: 67108864,
  Runtime: 'runc',
  Isolation: '',
  Memory: 0,
  CgroupParent: '',
  Devices: [],
  DeviceCgroupRules: null,
  DeviceRequests: null,
  MaskedPaths: ['/proc/kcore'],
  ReadonlyPaths: ['/proc/sys'],
}
const access = (hostConfig: object = {}, rest: Partial<ContainerAccess> = {}): ContainerAccess => ({
  id: 'c0ffee',
  name: 'shop-web-1',
  mounts: [],
  networks: [],
  cgroupVersion: '2',
  controlPaths: [],
  ...rest,
  hostConfig: { ...plain, ...hostConfig },
})
const mount = (type: string, source: string, more: object = {}) => ({
  mounts: [{ type, name: '', source, destination: '/x', driver: '', readOnly: false, ...more }],
})

test('a container that only has limits has no access beyond its project', () => {
  const limits = {
    Memory: 1e9,
    Sysctls: { 'net.core.somaxconn': '9' },
    Tmpfs: { '/run': '' },
    OomScoreAdj: 500,
    Ulimits: [{ Name: 'nofile', Soft: 9, Hard: 9 }],
    StorageOpt: { size: '1G' },
    BlkioDeviceReadBps: [{ Path: '/dev/sda', Rate: 1 }],
  }
  expect(containerReach(access(limits), place)).toEqual([])
})

test.each<[string, object]>([
  ['Privileged', { Privileged: true }],
  ['PidMode', { PidMode: 'host' }],
  ['PidMode', { PidMode: 'container:other' }],
  ['IpcMode', { IpcMode: 'host' }],
  ['UTSMode', { UTSMode: 'host' }],
  ['UsernsMode', { UsernsMode: 'host' }],
  ['NetworkMode', { NetworkMode: 'host' }],
  ['NetworkMode', { NetworkMode: 'container:other' }],
  ['CgroupnsMode', { CgroupnsMode: 'host' }],
  ['CgroupParent', { CgroupParent: '/' }],
  ['CapAdd', { CapAdd: ['CAP_SYS_ADMIN'] }],
  ['SecurityOpt', { SecurityOpt: ['label=disable'] }],
  ['SecurityOpt', { SecurityOpt: ['seccomp=unconfined'] }],
  ['Devices', { Devices: [{ PathOnHost: '/dev/sda' }] }],
  ['DeviceRequests', { DeviceRequests: [{ Count: -1 }] }],
  ['DeviceCgroupRules', { DeviceCgroupRules: ['a *:* rwm'] }],
  ['Runtime', { Runtime: 'nvidia' }],
  ['VolumeDriver', { VolumeDriver: 'local-persist' }],
  ['VolumesFrom', { VolumesFrom: ['other'] }],
  ['Links', { Links: ['/other:/shop-web-1/db'] }],
  ['LogConfig', { LogConfig: { Type: 'syslog', Config: {} } }],
  ['MaskedPaths', { MaskedPaths: null }],
  ['ReadonlyPaths', { ReadonlyPaths: [] }],
  ['Annotations', { Annotations: { a: 'b' } }],
  ['OomScoreAdj', { OomScoreAdj: -500 }],
  ['OomKillDisable', { OomKillDisable: true }],
  ['CpuRealtimeRuntime', { CpuRealtimeRuntime: 950000 }],
  ['Ulimits', { Ulimits: [{ Name: 'rtprio', Soft: 99, Hard: 99 }] }],
  ['Sysctls', { Sysctls: { 'net.netfilter.nf_conntrack_max': '9' } }],
  ['StorageOpt', { StorageOpt: { 'dm.basesize': '1G' } }],
  ['BlkioDeviceReadBps', { BlkioDeviceReadBps: [{ Path: '/etc/shadow', Rate: 1 }] }],
  ['SomethingNew', { SomethingNew: { deep: ['x'] } }],
])('names %s: %j', (name, hostConfig) => {
  expect(containerReach(access(hostConfig), place)).toEqual([expect.stringMatching(`^${name} `)])
})

test.each<[string, object]>([
  ['a bind outside the directory', mount('bind', '/etc')],
  ['a bind of the socket', mount('bind', '/var/run/docker.sock')],
  ['a bind of the parent', mount('bind', '/opt/stacks')],
  ['a bind with .. in the middle', mount('bind', `${directory}/../other`)],
  ['a volume of a plugin', mount('volume', '/x', { driver: 'rexray' })],
  ['a mount of an unknown type', mount('npipe', 'x')],
])('names %s', (_what, rest) => {
  expect(containerReach(access({}, rest), place)).toEqual([expect.stringContaining('/x')])
})

test.each<[string, object, object]>([
  ['the PID namespace of a container of the project', { PidMode: 'container:c0ffee' }, {}],
  ['the network namespace of a container of the project', { NetworkMode: 'container:c0ffee' }, {}],
  ['the volumes of a container of the project', { VolumesFrom: ['shop-db-1:ro'] }, {}],
  ['a bind below the directory', {}, mount('bind', `${directory}/data`)],
  ['a volume', {}, mount('volume', '/var/lib/docker/volumes/v', { driver: 'local' })],
  ['the default of cgroup version 1', { CgroupnsMode: 'host' }, { cgroupVersion: '1' }],
  ['an unknown attribute that is empty', { SomethingNew: { deep: [''] } }, {}],
])('allows %s', (_what, hostConfig, rest) => {
  expect(containerReach(access(hostConfig, rest), place)).toEqual([])
})
