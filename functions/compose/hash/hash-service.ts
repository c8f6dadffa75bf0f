import {
  always,
  embedded,
  type Fields,
  listOf,
  mapOf,
  optional,
  plain,
  single,
  struct,
} from './hash-fields.ts'
import {
  blkio,
  deploy,
  develop,
  deviceRequest,
  fileReference,
  healthCheck,
  hook,
  port,
  serviceNetwork,
  volumeMount,
} from './hash-parts.ts'

/**
 * The fields of a service. Only the hash of 2.26 includes `profiles` and `depends_on`; the current
 * one omits them.
 */
export const serviceFields: Fields = {
  profiles: plain,
  annotations: plain,
  attach: optional,
  develop: struct(develop),
  blkio_config: struct(blkio),
  cap_add: plain,
  cap_drop: plain,
  cgroup_parent: plain,
  cgroup: plain,
  cpu_count: plain,
  cpu_percent: single,
  cpu_period: plain,
  cpu_quota: plain,
  cpu_rt_period: plain,
  cpu_rt_runtime: plain,
  cpus: single,
  cpuset: plain,
  cpu_shares: plain,
  command: always,
  configs: listOf(fileReference),
  container_name: plain,
  credential_spec: struct({ config: plain, file: plain, registry: plain }),
  depends_on: mapOf(struct({ condition: plain, restart: plain, required: always })),
  deploy: struct(deploy),
  device_cgroup_rules: plain,
  devices: listOf({ source: plain, target: plain, permissions: plain }),
  dns: plain,
  dns_opt: plain,
  dns_search: plain,
  domainname: plain,
  entrypoint: always,
  provider: struct({ type: plain, options: plain }),
  environment: plain,
  expose: plain,
  external_links: plain,
  extra_hosts: plain,
  group_add: plain,
  gpus: listOf(deviceRequest),
  hostname: plain,
  healthcheck: struct(healthCheck),
  image: plain,
  init: optional,
  ipc: plain,
  isolation: plain,
  labels: plain,
  links: plain,
  logging: struct({ driver: plain, options: plain }),
  mem_limit: plain,
  mem_reservation: plain,
  memswap_limit: plain,
  mem_swappiness: plain,
  mac_address: plain,
  models: mapOf(struct({ endpoint_var: plain, model_var: plain })),
  network_mode: plain,
  networks: mapOf(struct(serviceNetwork)),
  oom_kill_disable: plain,
  oom_score_adj: plain,
  pid: plain,
  pids_limit: plain,
  platform: plain,
  ports: listOf(port),
  privileged: plain,
  read_only: plain,
  restart: plain,
  runtime: plain,
  secrets: listOf(fileReference),
  security_opt: plain,
  shm_size: plain,
  stdin_open: plain,
  stop_grace_period: optional,
  stop_signal: plain,
  storage_opt: plain,
  sysctls: plain,
  tmpfs: plain,
  tty: plain,
  ulimits: plainUlimits,
  use_api_socket: plain,
  user: plain,
  userns_mode: plain,
  uts: plain,
  volume_driver: plain,
  volumes: listOf(volumeMount),
  volumes_from: plain,
  working_dir: plain,
  pre_start: listOf(hook),
  post_start: listOf(hook),
  pre_stop: listOf(hook),
}

const ulimit = struct({ single: plain, soft: plain, hard: plain })

function plainUlimits(value: unknown): string | undefined {
  return mapOf((entry) => (typeof entry === 'number' ? String(entry) : ulimit(entry)))(value)
}

const { driver_opts: _, ...serviceNetwork226 } = serviceNetwork

/**
 * The fields of a service in Compose 2.26, which wrote the `priority` of an endpoint first and its
 * options last.
 */
export const serviceFields226: Fields = {
  ...serviceFields,
  networks: mapOf(struct({ priority: plain, ...serviceNetwork226, driver_opts: plain })),
}

/** The fields of a network, hashed since Compose 2.33. Older versions recorded no hash. */
export const networkFields: Fields = {
  name: plain,
  driver: plain,
  driver_opts: plain,
  ipam: embedded({
    driver: plain,
    config: listOf({ subnet: plain, gateway: plain, ip_range: plain, aux_addresses: plain }),
    options: plain,
  }),
  external: plain,
  internal: plain,
  attachable: plain,
  labels: plain,
  enable_ipv4: optional,
  enable_ipv6: optional,
}

/** The fields of a volume, hashed since Compose 2.33. */
export const volumeFields: Fields = {
  name: plain,
  driver: plain,
  driver_opts: plain,
  external: plain,
  labels: plain,
}
