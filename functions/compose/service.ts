import type { Deploy } from './service-deploy.ts'
import type {
  BlkioConfig,
  Build,
  DependsOn,
  DeviceMapping,
  DeviceRequest,
  EnvFile,
  Extensions,
  FileReference,
  HealthCheck,
  Hook,
  Logging,
  PortConfig,
  ServiceNetwork,
  Ulimit,
  VolumeMount,
  Watch,
} from './service-parts.ts'

/**
 * A service in canonical form. Sizes are byte counts as decimal strings (`"268435456"`), durations
 * are strings in Go's format (`"1m30s"`). Attributes that the file does not set are absent;
 * `command` and `entrypoint` are null instead. The loader drops the `x-` attributes of services.
 */
export interface Service extends Extensions, ServiceResources, ServiceNamespaces {
  profiles?: string[]
  annotations?: Record<string, string>
  attach?: boolean
  build?: Build
  develop?: { watch?: Watch[] }
  cap_add?: string[]
  cap_drop?: string[]
  command: string[] | null
  configs?: FileReference[]
  container_name?: string
  credential_spec?: { config?: string; file?: string; registry?: string }
  depends_on?: Record<string, DependsOn>
  deploy?: Deploy
  device_cgroup_rules?: string[]
  devices?: DeviceMapping[]
  dns?: string[]
  dns_opt?: string[]
  dns_search?: string[]
  domainname?: string
  entrypoint: string[] | null
  provider?: { type?: string; options?: Record<string, string[]> }
  /** Includes the values of `env_file`. Null unsets the variable even if the image sets it. */
  environment?: Record<string, string | null>
  /** Present only if the loader keeps it; see `discardEnvFiles`. */
  env_file?: EnvFile[]
  expose?: string[]
  external_links?: string[]
  /** `name=address`, sorted by name. */
  extra_hosts?: string[]
  group_add?: string[]
  gpus?: DeviceRequest[]
  hostname?: string
  healthcheck?: HealthCheck
  image?: string
  init?: boolean
  /** Includes the values of `label_file`. */
  labels?: Record<string, string>
  /** Present only if the loader keeps it; see `discardEnvFiles`. */
  label_file?: string[]
  links?: string[]
  logging?: Logging
  mac_address?: string
  models?: Record<string, { endpoint_var?: string; model_var?: string } | null>
  network_mode?: string
  /**
   * By key of the project's networks. Absent if and only if `network_mode` is set or the service
   * has no networks.
   */
  networks?: Record<string, ServiceNetwork | null>
  platform?: string
  ports?: PortConfig[]
  privileged?: boolean
  pull_policy?: string
  read_only?: boolean
  restart?: string
  runtime?: string
  scale?: number
  secrets?: FileReference[]
  security_opt?: string[]
  stdin_open?: boolean
  stop_grace_period?: string
  stop_signal?: string
  storage_opt?: Record<string, string>
  sysctls?: Record<string, string>
  tmpfs?: string[]
  tty?: boolean
  ulimits?: Record<string, Ulimit>
  use_api_socket?: boolean
  user?: string
  volume_driver?: string
  volumes?: VolumeMount[]
  volumes_from?: string[]
  working_dir?: string
  pre_start?: Hook[]
  post_start?: Hook[]
  pre_stop?: Hook[]
}

/** Resource limits of a container. */
export interface ServiceResources {
  blkio_config?: BlkioConfig
  cpu_count?: number
  cpu_percent?: number
  cpu_period?: number
  cpu_quota?: number
  cpu_rt_period?: number
  cpu_rt_runtime?: number
  cpus?: number
  cpuset?: string
  cpu_shares?: number
  mem_limit?: string
  mem_reservation?: string
  /** `"-1"` means no limit. */
  memswap_limit?: string
  mem_swappiness?: string
  oom_kill_disable?: boolean
  oom_score_adj?: number
  pids_limit?: number
  shm_size?: string
}

/** Namespaces: a mode such as `host`, `service:x` or `container:x`. */
export interface ServiceNamespaces {
  cgroup_parent?: string
  cgroup?: string
  ipc?: string
  isolation?: string
  pid?: string
  userns_mode?: string
  uts?: string
}
