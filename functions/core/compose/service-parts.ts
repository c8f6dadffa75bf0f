/** One published or exposed port. `published` stays a string: it may be a range, from which the Engine picks. */
export interface PortConfig {
  name?: string
  mode?: string
  host_ip?: string
  target: number
  published?: string
  protocol?: string
  app_protocol?: string
}

/** One mount of a service. A `source` of type `bind` is absolute; of type `volume` it is a key of the project's volumes. */
export interface VolumeMount {
  type: 'bind' | 'volume' | 'tmpfs' | 'image' | 'npipe' | 'cluster'
  /** Absent for an anonymous volume. */
  source?: string
  target: string
  read_only?: boolean
  consistency?: string
  /** `create_host_path` is true unless it says false. */
  bind?: {
    selinux?: string
    propagation?: string
    create_host_path?: boolean
    recursive?: string
  }
  volume?: { labels?: Record<string, string>; nocopy?: boolean; subpath?: string }
  /** `size` is in bytes. */
  tmpfs?: { size?: string; mode?: number }
  image?: { subpath?: string }
}

/** A secret or config as a service uses it. `target` may be absent or relative for configs; `mode` is octal: `"0440"`. */
export interface FileReference {
  source: string
  target?: string
  uid?: string
  gid?: string
  mode?: string
}

export interface DependsOn {
  condition: 'service_started' | 'service_healthy' | 'service_completed_successfully'
  required: boolean
  restart?: boolean
}

/** A service's place in a network. */
export interface ServiceNetwork {
  aliases?: string[]
  driver_opts?: Record<string, string>
  gw_priority?: number
  interface_name?: string
  ipv4_address?: string
  ipv6_address?: string
  link_local_ips?: string[]
  mac_address?: string
  priority?: number
}

/** `test` begins with `NONE`, `CMD` or `CMD-SHELL`. */
export interface HealthCheck {
  test?: string[]
  timeout?: string
  interval?: string
  retries?: number
  start_period?: string
  start_interval?: string
  disable?: boolean
}

export interface Logging {
  driver?: string
  options?: Record<string, string>
}

/** One number for both limits, or each of them. */
export type Ulimit = number | { soft?: number; hard?: number }

export interface DeviceMapping {
  source?: string
  target?: string
  permissions?: string
}

/** `count` is -1 for all. */
export interface DeviceRequest {
  capabilities?: string[]
  driver?: string
  count?: number
  device_ids?: string[]
  options?: Record<string, string>
}

/** The capital names are those of the canonical form. */
export interface BlkioConfig {
  weight?: number
  weight_device?: { Path: string; Weight: number }[]
  device_read_bps?: ThrottleDevice[]
  device_read_iops?: ThrottleDevice[]
  device_write_bps?: ThrottleDevice[]
  device_write_iops?: ThrottleDevice[]
}

export interface ThrottleDevice {
  Path: string
  Rate: string
}

/** `required` is true unless it says false. `path` is absolute, on the host. */
export interface EnvFile {
  path: string
  required?: boolean
  format?: string
}

/** A command of a container's life cycle. */
export interface Hook {
  command: string[] | null
  image?: string
  user?: string
  privileged?: boolean
  working_dir?: string
  environment?: Record<string, string | null>
  per_replica?: boolean
}

/** What is watched while one develops: read, and without meaning on a server. */
export interface Watch {
  path?: string
  action?: string
  target?: string
  exec?: Hook
  include?: string[]
  ignore?: string[]
  initial_sync?: boolean
}

export interface Build {
  context?: string
  dockerfile?: string
  dockerfile_inline?: string
  entitlements?: string[]
  args?: Record<string, string | null>
  provenance?: string
  sbom?: string
  ssh?: string[]
  labels?: Record<string, string>
  cache_from?: string[]
  cache_to?: string[]
  no_cache?: boolean
  no_cache_filter?: string[]
  additional_contexts?: Record<string, string>
  pull?: boolean
  extra_hosts?: string[]
  isolation?: string
  network?: string
  target?: string
  secrets?: FileReference[]
  shm_size?: string
  tags?: string[]
  ulimits?: Record<string, Ulimit>
  platforms?: string[]
  privileged?: boolean
}
