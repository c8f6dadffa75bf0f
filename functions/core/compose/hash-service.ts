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

const deviceRequest: Fields = {
  capabilities: plain,
  driver: plain,
  count: plain,
  device_ids: plain,
  options: plain,
}

const resource: Fields = {
  cpus: single,
  memory: plain,
  pids: plain,
  devices: listOf(deviceRequest),
  generic_resources: listOf({ discrete_resource_spec: struct({ kind: always, value: always }) }),
}

const update: Fields = {
  parallelism: optional,
  delay: plain,
  failure_action: plain,
  monitor: plain,
  max_failure_ratio: single,
  order: plain,
}

/** `deploy` without its replicas: how many there are is not how they are made. */
const deploy: Fields = {
  mode: plain,
  labels: plain,
  update_config: struct(update),
  rollback_config: struct(update),
  resources: embedded({ limits: struct(resource), reservations: struct(resource) }),
  restart_policy: struct({
    condition: plain,
    delay: optional,
    max_attempts: optional,
    window: optional,
  }),
  placement: embedded({
    constraints: plain,
    preferences: listOf({ spread: plain }),
    max_replicas_per_node: plain,
  }),
  endpoint_mode: plain,
}

const throttle = listOf({ Path: always, Rate: always })

const blkio: Fields = {
  weight: plain,
  weight_device: listOf({ Path: always, Weight: always }),
  device_read_bps: throttle,
  device_read_iops: throttle,
  device_write_bps: throttle,
  device_write_iops: throttle,
}

const fileReference: Fields = {
  source: plain,
  target: plain,
  uid: plain,
  gid: plain,
  mode: optional,
}

const hook: Fields = {
  command: always,
  image: plain,
  user: plain,
  privileged: plain,
  working_dir: plain,
  environment: plain,
  per_replica: plain,
}

const develop: Fields = {
  watch: listOf({
    path: always,
    action: always,
    target: plain,
    exec: struct(hook),
    include: plain,
    ignore: plain,
    initial_sync: plain,
  }),
}

const volumeMount: Fields = {
  type: plain,
  source: plain,
  target: plain,
  read_only: plain,
  consistency: plain,
  bind: struct({
    selinux: plain,
    propagation: plain,
    create_host_path: optional,
    recursive: plain,
  }),
  volume: struct({ labels: plain, nocopy: plain, subpath: plain }),
  tmpfs: struct({ size: plain, mode: plain }),
  image: struct({ subpath: plain }),
}

const port: Fields = {
  name: plain,
  mode: plain,
  host_ip: plain,
  target: plain,
  published: plain,
  protocol: plain,
  app_protocol: plain,
}

const serviceNetwork: Fields = {
  aliases: plain,
  driver_opts: plain,
  gw_priority: plain,
  interface_name: plain,
  ipv4_address: plain,
  ipv6_address: plain,
  link_local_ips: plain,
  mac_address: plain,
  priority: plain,
}

const healthCheck: Fields = {
  test: plain,
  timeout: optional,
  interval: optional,
  retries: optional,
  start_period: optional,
  start_interval: optional,
  disable: plain,
}

/** `profiles` and `depends_on` are written by the older form alone; the current one passes a service without them. */
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

/** The service as Compose 2.26 wrote it: an endpoint's priority came first then. */
export const serviceFields226: Fields = {
  ...serviceFields,
  networks: mapOf(struct({ priority: plain, ...serviceNetwork })),
}

/** A network as it is hashed since Compose 2.33; older ones recorded no hash. */
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

/** A volume as it is hashed since Compose 2.33. */
export const volumeFields: Fields = {
  name: plain,
  driver: plain,
  driver_opts: plain,
  external: plain,
  labels: plain,
}
