import type { Schema } from './forms.ts'
import {
  boolean,
  command,
  either,
  integer,
  list,
  listOrMapping,
  mapping,
  number,
  numberOrString,
  object,
  string,
  stringOrList,
  strings,
  uniqueStrings,
  word,
} from './forms.ts'

const condition = word('service_started', 'service_healthy', 'service_completed_successfully')

const hosts: Schema = either(mapping(either(string, strings)), uniqueStrings)

const ulimit = either(
  { type: ['integer', 'string'] },
  object({ hard: integer, soft: integer }, ['soft', 'hard']),
)

const fileReference = object({
  source: string,
  target: string,
  uid: string,
  gid: string,
  mode: numberOrString,
})

const hook = object({
  command,
  image: string,
  user: string,
  privileged: boolean,
  working_dir: string,
  environment: listOrMapping,
  per_replica: boolean,
})

const throttles = list(object({ path: string, rate: integer }))

/** The definitions that the schema of a service refers to. */
export const serviceParts: Record<string, Schema> = {
  fileReference,
  hook,
  extraHosts: hosts,
  ulimits: {
    type: 'object',
    patternProperties: { '^[a-z]+$': ulimit },
  },
  blkio: object({
    device_read_bps: throttles,
    device_read_iops: throttles,
    device_write_bps: throttles,
    device_write_iops: throttles,
    weight: integer,
    weight_device: list(object({ path: string, weight: integer })),
  }),
  dependsOn: either(
    uniqueStrings,
    mapping(object({ condition, required: boolean, restart: boolean }, ['condition'])),
  ),
  envFile: either(
    string,
    list(either(string, object({ path: string, format: string, required: boolean }, ['path']))),
  ),
  healthcheck: object({
    disable: boolean,
    interval: string,
    retries: number,
    test: either(string, strings),
    timeout: string,
    start_period: string,
    start_interval: string,
  }),
  serviceNetwork: object({
    aliases: uniqueStrings,
    driver_opts: mapping(numberOrString),
    gw_priority: number,
    interface_name: string,
    ipv4_address: string,
    ipv6_address: string,
    link_local_ips: uniqueStrings,
    mac_address: string,
    priority: number,
  }),
  port: object({
    name: string,
    mode: string,
    host_ip: string,
    target: integer,
    published: integer,
    protocol: string,
    app_protocol: string,
  }),
  mount: object(
    {
      type: word('bind', 'volume', 'tmpfs', 'cluster', 'npipe', 'image'),
      source: string,
      target: string,
      read_only: boolean,
      consistency: string,
      bind: object({
        propagation: string,
        create_host_path: boolean,
        recursive: word('enabled', 'disabled', 'writable', 'readonly'),
        selinux: word('z', 'Z'),
      }),
      volume: object({ labels: listOrMapping, nocopy: boolean, subpath: string }),
      tmpfs: object({
        size: either({ type: 'integer', minimum: 0 }, string),
        mode: numberOrString,
      }),
      image: object({ subpath: string }),
    },
    ['type'],
  ),
  deviceRequest: object({
    capabilities: uniqueStrings,
    count: integer,
    device_ids: uniqueStrings,
    driver: string,
    options: listOrMapping,
  }),
  develop: object({
    watch: list(
      object(
        {
          path: string,
          action: word('rebuild', 'sync', 'restart', 'sync+restart', 'sync+exec'),
          ignore: stringOrList,
          include: stringOrList,
          target: string,
          exec: hook,
          initial_sync: { type: 'boolean' },
        },
        ['path', 'action'],
      ),
    ),
  }),
  build: object({
    ...Object.fromEntries(
      ['context', 'dockerfile', 'dockerfile_inline', 'isolation', 'network', 'target'].map(
        (name) => [name, string] as const,
      ),
    ),
    ...Object.fromEntries(
      ['additional_contexts', 'args', 'labels', 'ssh'].map(
        (name) => [name, listOrMapping] as const,
      ),
    ),
    ...Object.fromEntries(
      ['cache_from', 'cache_to', 'entitlements', 'platforms', 'tags'].map(
        (name) => [name, strings] as const,
      ),
    ),
    extra_hosts: hosts,
    no_cache: boolean,
    no_cache_filter: stringOrList,
    privileged: boolean,
    provenance: { type: ['string', 'boolean'] },
    pull: boolean,
    sbom: { type: ['string', 'boolean'] },
    secrets: list(either(string, fileReference)),
    shm_size: integer,
    ulimits: { type: 'object', additionalProperties: ulimit },
  }),
}

const rollout = object({
  parallelism: integer,
  delay: string,
  failure_action: string,
  monitor: string,
  max_failure_ratio: number,
  order: word('start-first', 'stop-first'),
})

const generic = list(
  object({ discrete_resource_spec: object({ kind: string, value: numberOrString }) }),
)

/** The `deploy` attribute of a service. */
export const deploy: Schema = object({
  mode: string,
  endpoint_mode: string,
  replicas: integer,
  labels: listOrMapping,
  rollback_config: rollout,
  update_config: rollout,
  resources: object({
    limits: object({ cpus: numberOrString, memory: string, pids: integer }),
    reservations: object({
      cpus: numberOrString,
      memory: string,
      generic_resources: generic,
      devices: list({ ...serviceParts.deviceRequest, required: ['capabilities'] }),
    }),
  }),
  restart_policy: object({
    condition: string,
    delay: string,
    max_attempts: integer,
    window: string,
  }),
  placement: object({
    constraints: strings,
    preferences: list(object({ spread: string })),
    max_replicas_per_node: integer,
  }),
})

/** Values of `driver_opts` and similar attributes. */
export const options: Schema = mapping(numberOrString)

/** An external resource: true, or an object with its name. */
export const external: Schema = either({ type: ['boolean', 'string'] }, object({ name: string }))
