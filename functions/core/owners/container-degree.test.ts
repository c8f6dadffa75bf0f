import { expect, test } from 'vitest'
import type { ContainerAccess, ContainerMount } from '../records/container.ts'
import { type ContainerPlace, containerDegree } from './container-degree.ts'
import type { KnownVolume } from './volume-reach.ts'

const place: ContainerPlace = {
  stacksDirectory: '/opt/stacks',
  ownDirectory: '/opt/stacks/shop',
  controlPaths: [],
  volumes: {},
}
const access = (rest: Partial<ContainerAccess>): ContainerAccess => ({
  id: 'c0ffee',
  name: 'shop-web-1',
  hostConfig: {},
  mounts: [],
  networks: [],
  cgroupVersion: '2',
  controlPaths: [],
  ...rest,
})
const degreeWith = (hostConfig: Record<string, unknown>) =>
  containerDegree(access({ hostConfig }), place)

const bind = (source: string, more: Partial<ContainerMount> = {}): ContainerMount => ({
  type: 'bind',
  name: '',
  source,
  destination: '/x',
  driver: '',
  readOnly: false,
  ...more,
})
const degreeOf = (mount: ContainerMount, more: Partial<ContainerPlace> = {}) =>
  containerDegree(access({ mounts: [mount] }), { ...place, ...more })

test.each<[string, Record<string, unknown>]>([
  ['the log driver', { LogConfig: { Type: 'syslog', Config: {} } }],
  ['ulimits', { Ulimits: [{ Name: 'rtprio', Soft: 99, Hard: 99 }] }],
  ['the OOM score', { OomScoreAdj: -500 }],
  ['limits', { Memory: 1e9, NanoCpus: 1e9, PidsLimit: 9, CpuRealtimeRuntime: 950_000 }],
  ['the host name', { UTSMode: 'host' }],
  ['the default of cgroup version 1', { CgroupnsMode: 'host' }],
  ['a cgroup', { CgroupParent: '/other' }],
  ['sysctls', { Sysctls: { 'net.ipv4.ip_forward': '1' } }],
  ['capabilities that every container has', { CapAdd: ['CAP_CHOWN', 'net_bind_service'] }],
  ['capabilities for limits', { CapAdd: ['SYS_NICE', 'IPC_LOCK', 'SYS_RESOURCE'] }],
  ['weaker confinement alone', { SecurityOpt: ['apparmor=unconfined', 'label=disable'] }],
  ['a runtime', { Runtime: 'runsc' }],
  ['a private namespace', { PidMode: '', IpcMode: 'private', NetworkMode: 'shop_default' }],
  ['masked paths', { MaskedPaths: ['/proc/kcore'], ReadonlyPaths: ['/proc/sys'] }],
  ['an attribute that this code does not know', { SomethingNew: { deep: ['x'] } }],
])('none: %s', (_what, hostConfig) => {
  expect(degreeWith(hostConfig)).toEqual({ degree: 'none', reason: '' })
})

test.each<[Record<string, unknown>, string]>([
  [{ NetworkMode: 'host' }, 'network_mode: host'],
  [{ CapAdd: ['NET_ADMIN'] }, 'cap_add: NET_ADMIN'],
  [{ CapAdd: ['CAP_SYS_TIME'] }, 'cap_add: SYS_TIME'],
  [{ DeviceRequests: [{ Driver: 'nvidia', Count: -1 }] }, 'gpus'],
  [{ Runtime: 'nvidia' }, 'runtime: nvidia'],
  [{ Devices: [{ PathOnHost: '/dev/dri' }] }, 'the device /dev/dri'],
  [{ Devices: [{ PathOnHost: '/dev/dri/renderD128' }] }, 'the device /dev/dri/renderD128'],
  [{ Devices: [{ PathOnHost: '/dev/net/tun' }] }, 'the device /dev/net/tun'],
  [{ Devices: [{ PathOnHost: '/dev/ttyUSB0' }] }, 'the device /dev/ttyUSB0'],
  [{ DeviceCgroupRules: ['c 188:* rwm'] }, 'device_cgroup_rules: c 188:* rwm'],
])('data: %j', (hostConfig, reason) => {
  expect(degreeWith(hostConfig)).toEqual({
    degree: 'data',
    reason: expect.stringContaining(reason),
  })
})

test.each<[Record<string, unknown>, string]>([
  [{ Privileged: true, MaskedPaths: null, ReadonlyPaths: null }, 'privileged'],
  [{ PidMode: 'host' }, 'pid: host'],
  [{ IpcMode: 'host' }, 'ipc: host'],
  [{ UsernsMode: 'host' }, 'userns_mode: host'],
  ...['SYS_ADMIN', 'SYS_PTRACE', 'SYS_MODULE', 'DAC_READ_SEARCH', 'SYS_RAWIO', 'BPF', 'ALL'].map(
    (name): [Record<string, unknown>, string] => [{ CapAdd: [`CAP_${name}`] }, `cap_add: ${name}`],
  ),
  [{ CapAdd: ['NET_ADMIN', 'sys_admin'] }, 'cap_add: SYS_ADMIN'],
  [{ MaskedPaths: [] }, 'systempaths=unconfined'],
  [{ ReadonlyPaths: null }, 'systempaths=unconfined'],
  [{ Devices: [{ PathOnHost: '/dev/sda' }] }, 'the device /dev/sda'],
  [{ Devices: [{ PathOnHost: '/dev/mapper/root' }] }, 'the device /dev/mapper/root'],
  [{ Devices: [{ PathOnHost: '/dev/mem' }] }, 'the device /dev/mem'],
  [{ Devices: [{ PathOnHost: '/dev/dri/../sda' }] }, 'the device'],
  [{ Devices: [{ PathOnHost: '/dev' }] }, 'the device /dev'],
  [{ DeviceCgroupRules: ['b 8:* rwm'] }, 'device_cgroup_rules: b 8:* rwm'],
  [{ DeviceCgroupRules: ['a *:* rwm'] }, 'device_cgroup_rules'],
  [{ DeviceCgroupRules: ['c *:* rwm'] }, 'device_cgroup_rules'],
  [{ DeviceCgroupRules: ['c 1:1 r'] }, 'device_cgroup_rules'],
])('host: %j', (hostConfig, reason) => {
  expect(degreeWith(hostConfig)).toEqual({
    degree: 'host',
    reason: expect.stringContaining(reason),
  })
})

const readOnly = { readOnly: true }

test.each<[ContainerMount]>([
  [bind('/opt/stacks/shop/data')],
  [bind('/opt/stacks/shop')],
  [bind('/etc/localtime', readOnly)],
  [bind('/etc/timezone', readOnly)],
  [bind('/usr/share/zoneinfo/Europe/Berlin', readOnly)],
  [bind('/etc/ssl/certs', readOnly)],
  [bind('/lib/modules', readOnly)],
  [bind('', { type: 'tmpfs' })],
])('none: %j', (mount) => {
  expect(degreeOf(mount).degree).toBe('none')
})

test.each<[ContainerMount]>([
  [bind('/mnt/media')],
  [bind('/opt/stacks/bookshop/data')],
  [bind('/opt/stacks/shop/../other')],
  [bind('/etc/localtime')],
  [bind('/etc/letsencrypt', readOnly)],
  [bind('/run/udev', readOnly)],
  [bind('/run/user/1000/pulse')],
  [bind('/var/log', readOnly)],
  [bind('/usr/bin', readOnly)],
  [bind('/dev/dri')],
  [bind('/dev/shm')],
  [bind('/home/mia')],
  [bind('/home')],
])('data: %j', (mount) => {
  const reason = `the mount /x: ${mount.source} of the host`
  expect(degreeOf(mount)).toEqual({ degree: 'data', reason })
})

test.each<[ContainerMount]>([
  [bind('/', readOnly)],
  [bind('/.', readOnly)],
  [bind('/var/run/docker.sock', readOnly)],
  [bind('/run/docker.sock')],
  [bind('/run')],
  [bind('/var/run', readOnly)],
  [bind('/var')],
  [bind('/srv/engine', { destination: '/var/run/docker.sock' })],
  [bind('/srv/docker.sock')],
  [bind('/run/containerd/containerd.sock')],
  [bind('/run/podman')],
  [bind('/run/dbus', readOnly)],
  [bind('/var/run/dbus')],
  [bind('/run/dbus/system_bus_socket', readOnly)],
  [bind('/srv/bus', { destination: '/run/dbus/system_bus_socket' })],
  [bind('/run/systemd/private')],
  [bind('/run/containerd', readOnly)],
  [bind('/var/run/crio')],
  [bind('/run/k3s/containerd')],
  [bind('/run/libvirt', readOnly)],
  [bind('/run/libvirt/libvirt-sock')],
  [bind('/run/snapd.socket', readOnly)],
  [bind('/var/snap/lxd/common/lxd/unix.socket')],
  [bind('/var/lib/incus/unix.socket')],
  [bind('/run/udev')],
  [bind('/run/user/1000/docker.sock')],
  [bind('/run/user/1000/podman')],
  [bind('/run/user/1000/bus', readOnly)],
  [bind('/run/user/1000/systemd/private')],
  [bind('/run/user/1000')],
  [bind('/etc', readOnly)],
  [bind('/etc/shadow', readOnly)],
  [bind('/etc/sudoers.d', readOnly)],
  [bind('/etc/cron.d')],
  [bind('/etc/passwd')],
  [bind('/var/lib/docker', readOnly)],
  [bind('/var/lib/docker/containers', readOnly)],
  [bind('/var/lib/docker/volumes/other_data/_data')],
  [bind('/var/lib')],
  [bind('/proc', readOnly)],
  [bind('/proc/1/root')],
  [bind('/sys', readOnly)],
  [bind('/sys/fs/cgroup')],
  [bind('/dev')],
  [bind('/dev/sda')],
  [bind('/root', readOnly)],
  [bind('/usr')],
  [bind('/lib/modules')],
  [bind('/opt/stacks')],
  [bind('/opt', readOnly)],
  [bind('/opt/stacks/shop/..')],
  [bind('/opt/stacks/shop/data', { destination: '/run/docker.sock' })],
])('host: %j', (mount) => {
  expect(degreeOf(mount)).toEqual({
    degree: 'host',
    reason: `the mount ${mount.destination}: ${mount.source} of the host`,
  })
})

test('host: the service’s data, the Engine’s own root and socket, and what is above and below', () => {
  const controlPaths = ['/srv/service/data', '/mnt/docker', '/srv/engine/main.socket']
  for (const path of [
    '/srv/service/data',
    '/srv',
    '/srv/service/data/keys',
    '/mnt/docker/volumes',
  ]) {
    expect([path, degreeOf(bind(path), { controlPaths }).degree]).toEqual([path, 'host'])
  }
  expect(degreeOf(bind('/srv/engine'), { controlPaths }).degree).toBe('host')
  expect(degreeOf(bind('/srv/other'), { controlPaths }).degree).toBe('data')
})

test('data: a directory below that of the stacks, for a container of no stack', () => {
  const found = degreeOf(bind('/opt/stacks/shop'), { ownDirectory: undefined })
  expect(found.degree).toBe('data')
})

const volume = (more: Partial<ContainerMount> = {}) =>
  bind('/var/lib/docker/volumes/v/_data', { type: 'volume', name: 'v', driver: 'local', ...more })
const withVolume = (
  options: KnownVolume['options'],
  { isOwn = true, ...more }: Partial<ContainerMount> & { isOwn?: boolean } = {},
) => degreeOf(volume(more), { volumes: { v: { options, isOwn } } })

test.each<[string, KnownVolume['options']]>([
  ['without options', {}],
  ['in memory', { type: 'tmpfs', device: 'tmpfs', o: 'size=1m' }],
  ['in the directory of the stack', { type: 'none', o: 'bind', device: '/opt/stacks/shop/db' }],
])('none: an own volume %s', (_what, options) => {
  expect(withVolume(options).degree).toBe('none')
})

test.each<[string, KnownVolume['options'], string]>([
  ['a directory', { type: 'none', o: 'bind', device: '/mnt/media' }, '/mnt/media of the host'],
  ['a share', { type: 'nfs', o: 'addr=10.0.0.1', device: ':/export' }, 'of the type nfs'],
])('data: a volume that is %s', (_what, options, reason) => {
  expect(withVolume(options)).toEqual({ degree: 'data', reason: expect.stringContaining(reason) })
})

test.each<[string, KnownVolume['options']]>([
  ['the root', { type: 'none', o: 'bind', device: '/' }],
  ['the socket’s directory', { o: 'bind', device: '/var/run' }],
  ['an overlay of the root', { type: 'overlay', device: 'overlay', o: 'lowerdir=/,workdir=/w' }],
  ['a block device', { type: 'ext4', device: '/dev/sda1' }],
  ['a block device by a bind', { type: 'none', o: 'bind', device: '/dev/sda1' }],
  ['a file system of the kernel', { type: 'proc', device: 'proc' }],
])('host: a volume that is %s', (_what, options) => {
  expect(withVolume(options)).toEqual({
    degree: 'host',
    reason: expect.stringContaining('the mount /x: the volume v, which is '),
  })
})

test('data: a volume of others, of another driver, or one that is not known', () => {
  expect(withVolume({}, { isOwn: false })).toEqual({
    degree: 'data',
    reason: 'the mount /x: the volume v',
  })
  expect(withVolume({}, { driver: 'rexray' }).reason).toContain('of the driver rexray')
  expect(degreeOf(volume()).degree).toBe('data')
})

test('the worst thing decides', () => {
  const mounts = [bind('/mnt/media'), bind('/etc')]
  expect(containerDegree(access({ mounts }), place).reason).toContain('/etc')
})
