import type { Extensions } from './project.ts'
import type { Deploy } from './service-deploy.ts'
import type {
  BlkioConfig,
  Build,
  DependsOn,
  DeviceMapping,
  DeviceRequest,
  EnvFile,
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
 * A service in canonical form. Sizes are decimal strings of bytes (`"268435456"`), durations are strings as Go prints
 * them (`"1m30s"`), an attribute that was not given is absent (only `command` and `entrypoint` are then null). The loader
 * leaves its `x-` attributes out.
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
  /** Values of `env_file` are merged in. Null: the variable is not set, whatever the image says. */
  environment?: Record<string, string | null>
  /** Only when the loader was asked to keep it. */
  env_file?: EnvFile[]
  expose?: string[]
  external_links?: string[]
  /** `name=address`, in order of name. */
  extra_hosts?: string[]
  group_add?: string[]
  gpus?: DeviceRequest[]
  hostname?: string
  healthcheck?: HealthCheck
  image?: string
  init?: boolean
  /** Values of `label_file` are merged in. */
  labels?: Record<string, string>
  /** Only when the loader was asked to keep it. */
  label_file?: string[]
  links?: string[]
  logging?: Logging
  mac_address?: string
  models?: Record<string, { endpoint_var?: string; model_var?: string } | null>
  network_mode?: string
  /** By key of the project's networks. Absent exactly when `network_mode` is set or there are none. */
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

/** What a container may use. */
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
  /** `"-1"` for no limit. */
  memswap_limit?: string
  mem_swappiness?: string
  oom_kill_disable?: boolean
  oom_score_adj?: number
  pids_limit?: number
  shm_size?: string
}

/** Namespaces: a word, `service:x` or `container:x`. */
export interface ServiceNamespaces {
  cgroup_parent?: string
  cgroup?: string
  ipc?: string
  isolation?: string
  pid?: string
  userns_mode?: string
  uts?: string
}
