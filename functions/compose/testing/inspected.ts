import type { ContainerInspection } from '../from-container/inspection.ts'

/** What a test says of a container. The rest is as an Engine shows a container without choices. */
export interface InspectedSample
  extends Partial<Omit<ContainerInspection, 'config' | 'hostConfig'>> {
  config?: Record<string, unknown>
  hostConfig?: Record<string, unknown>
}

const id = '4f6d1b0c9a2e'.repeat(6).slice(0, 64)

/** The `Config` of the image of these containers. */
export const imageConfig = {
  Cmd: ['nginx', '-g', 'daemon off;'],
  Entrypoint: ['/docker-entrypoint.sh'],
  Env: ['PATH=/usr/bin', 'NGINX_VERSION=1.29'],
  ExposedPorts: { '80/tcp': {} },
  Labels: { maintainer: 'nginx' },
  StopSignal: 'SIGQUIT',
  WorkingDir: '',
  User: '',
}

/** Returns a container `web` as an Engine shows it after `docker run nginx:1.29`. */
export const inspected = ({
  config = {},
  hostConfig = {},
  ...more
}: InspectedSample = {}): ContainerInspection => ({
  id,
  name: 'web',
  networks: { bridge: { Aliases: null, IPAddress: '172.17.0.2', NetworkID: 'b'.repeat(64) } },
  mounts: [],
  imageId: `sha256:${'1'.repeat(64)}`,
  imageConfig,
  isImageMoved: false,
  engine: { hostName: 'machine', logDriver: 'json-file', runtime: 'runc', cgroupVersion: '2' },
  ...more,
  config: {
    ...imageConfig,
    Image: 'nginx:1.29',
    Hostname: id.slice(0, 12),
    Domainname: '',
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    OpenStdin: false,
    StdinOnce: false,
    Volumes: null,
    OnBuild: null,
    ...config,
  },
  hostConfig: {
    Binds: null,
    ContainerIDFile: '',
    LogConfig: { Type: 'json-file', Config: {} },
    NetworkMode: 'default',
    PortBindings: {},
    RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
    AutoRemove: false,
    VolumeDriver: '',
    VolumesFrom: null,
    ConsoleSize: [24, 80],
    CapAdd: null,
    CapDrop: null,
    CgroupnsMode: 'private',
    Dns: [],
    ExtraHosts: null,
    IpcMode: 'private',
    Cgroup: '',
    Links: null,
    PidMode: '',
    Privileged: false,
    PublishAllPorts: false,
    SecurityOpt: null,
    ShmSize: 67_108_864,
    Runtime: 'runc',
    Isolation: '',
    Memory: 0,
    MemorySwap: 0,
    MemorySwappiness: null,
    OomKillDisable: null,
    PidsLimit: null,
    Ulimits: [],
    MaskedPaths: ['/proc/acpi'],
    ReadonlyPaths: ['/proc/sys'],
    ...hostConfig,
  },
})
