/**
 * A published or exposed port. `published` is a string because it may be a range from which the
 * Engine picks a port.
 */
export interface PortConfig {
  name?: string
  mode?: string
  host_ip?: string
  target: number
  published?: string
  protocol?: string
  app_protocol?: string
}

/**
 * A mount of a service. `source` is an absolute path for type `bind` and a key of the project's
 * volumes for type `volume`.
 */
export interface VolumeMount {
  type: 'bind' | 'volume' | 'tmpfs' | 'image' | 'npipe' | 'cluster'
  /** Absent for an anonymous volume. */
  source?: string
  target: string
  read_only?: boolean
  consistency?: string
  /** A missing `create_host_path` means true. */
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

/**
 * A secret or config that a service uses. The `target` of a config may be absent or relative.
 * `mode` is octal: `"0440"`.
 */
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

/** The endpoint of a service in a network. */
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

/** One number for both limits, or an object with a soft and a hard limit. */
export type Ulimit = number | { soft?: number; hard?: number }

export interface DeviceMapping {
  source?: string
  target?: string
  permissions?: string
}

/** A `count` of -1 requests all devices. */
export interface DeviceRequest {
  capabilities?: string[]
  driver?: string
  count?: number
  device_ids?: string[]
  options?: Record<string, string>
}

/** The capitalized names are those of the canonical form. */
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

/** A missing `required` means true. `path` is absolute, on the host. */
export interface EnvFile {
  path: string
  required?: boolean
  format?: string
}

/** A lifecycle hook command. */
export interface Hook {
  command: string[] | null
  image?: string
  user?: string
  privileged?: boolean
  working_dir?: string
  environment?: Record<string, string | null>
  per_replica?: boolean
}

/**
 * Files to watch during development. A deploy ignores them, except that they are part of the config
 * hash.
 */
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

/** Attributes that begin with `x-`, unchanged. Only the top-level ones are kept. */
export type Extensions = { [name: `x-${string}`]: unknown }
