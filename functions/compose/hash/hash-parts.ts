import {
  always,
  embedded,
  type Fields,
  listOf,
  optional,
  plain,
  single,
  struct,
} from './hash-fields.ts'

/** A request for devices such as GPUs. */
export const deviceRequest: Fields = {
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

/** The `deploy` attribute without replicas: their number does not affect a single container. */
export const deploy: Fields = {
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

/** Weights and limits of block devices. */
export const blkio: Fields = {
  weight: plain,
  weight_device: listOf({ Path: always, Weight: always }),
  device_read_bps: throttle,
  device_read_iops: throttle,
  device_write_bps: throttle,
  device_write_iops: throttle,
}

/** A secret or config that a service uses. */
export const fileReference: Fields = {
  source: plain,
  target: plain,
  uid: plain,
  gid: plain,
  mode: optional,
}

/** A lifecycle hook command. */
export const hook: Fields = {
  command: always,
  image: plain,
  user: plain,
  privileged: plain,
  working_dir: plain,
  environment: plain,
  per_replica: plain,
}

/** The `develop` attribute. It is hashed although it does not affect containers. */
export const develop: Fields = {
  watch: listOf({
    path: always,
    action: always,
    target: plain,
    exec: embedded(hook),
    include: plain,
    ignore: plain,
    initial_sync: plain,
  }),
}

export const volumeMount: Fields = {
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

export const port: Fields = {
  name: plain,
  mode: plain,
  host_ip: plain,
  target: plain,
  published: plain,
  protocol: plain,
  app_protocol: plain,
}

/** An endpoint of a service in a network. */
export const serviceNetwork: Fields = {
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

/** A health check. Its durations are hashed even if they are zero. */
export const healthCheck: Fields = {
  test: plain,
  timeout: optional,
  interval: optional,
  retries: optional,
  start_period: optional,
  start_interval: optional,
  disable: plain,
}
