import { printValue } from '../yaml/print-value.ts'
import { isMap } from '../yaml/tree.ts'
import type { Form } from './bind-forms.ts'
import {
  boolean,
  bytes,
  command,
  duration,
  environment,
  float,
  integer,
  listOf,
  mapOf,
  mapping,
  object,
  setBoolean,
  setInteger,
  setUnsigned,
  text,
  texts,
  unsigned,
} from './bind-forms.ts'
import { build, deploy, deviceRequest, fileReference, hosts, ulimits } from './bind-parts.ts'

const optOut: Form = (value, path) => (setBoolean(value, path) === false ? false : undefined)

const throttles = listOf((value) =>
  isMap(value)
    ? { Path: printValue(value.path ?? ''), Rate: bytes(value.rate ?? null, []) ?? '0' }
    : value,
)

const hook = object(
  {
    command,
    image: text,
    user: text,
    privileged: boolean,
    working_dir: text,
    environment,
    per_replica: boolean,
  },
  { command: null },
)

const healthTest: Form = (value, path) =>
  typeof value === 'string' ? ['CMD-SHELL', value] : texts(value, path)

/** A value or a list of values, as a list of strings. */
const values: Form = (value) => (Array.isArray(value) ? value : [value]).map(printValue)

const mount = object({
  type: text,
  source: text,
  target: text,
  read_only: boolean,
  consistency: text,
  bind: object({ selinux: text, propagation: text, create_host_path: optOut, recursive: text }),
  volume: object({ labels: mapping, nocopy: boolean, subpath: text }),
  tmpfs: object({ size: bytes, mode: unsigned }),
  image: object({ subpath: text }),
})

/** A development watch. Its command is always present, even if the file does not set one. */
const trigger = object(
  {
    path: text,
    action: text,
    target: text,
    exec: hook,
    include: texts,
    ignore: texts,
    initial_sync: boolean,
  },
  { exec: { command: null } },
)

const dependency = object(
  { condition: text, restart: boolean, required: setBoolean },
  { condition: 'service_started', required: true },
)

const each = (form: Form, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, form]))

/** A service in canonical form. */
export const service = object(
  {
    ...each(text, 'cgroup', 'cgroup_parent', 'container_name', 'cpuset', 'domainname', 'hostname'),
    ...each(text, 'image', 'ipc', 'isolation', 'mac_address', 'network_mode', 'pid', 'platform'),
    ...each(text, 'pull_policy', 'restart', 'runtime', 'stop_signal', 'user', 'userns_mode', 'uts'),
    ...each(text, 'volume_driver', 'working_dir'),
    ...each(boolean, 'oom_kill_disable', 'privileged', 'read_only', 'stdin_open', 'tty'),
    ...each(boolean, 'use_api_socket'),
    ...each(setBoolean, 'attach', 'init'),
    ...each(integer, 'cpu_count', 'cpu_period', 'cpu_quota', 'cpu_rt_period', 'cpu_rt_runtime'),
    ...each(integer, 'cpu_shares', 'oom_score_adj', 'pids_limit'),
    ...each(float, 'cpu_percent', 'cpus'),
    ...each(bytes, 'mem_limit', 'mem_reservation', 'memswap_limit', 'mem_swappiness', 'shm_size'),
    ...each(texts, 'cap_add', 'cap_drop', 'device_cgroup_rules', 'dns', 'dns_opt', 'dns_search'),
    ...each(texts, 'expose', 'external_links', 'group_add', 'label_file', 'links', 'profiles'),
    ...each(texts, 'security_opt', 'tmpfs', 'volumes_from'),
    ...each(mapping, 'annotations', 'labels', 'storage_opt', 'sysctls'),
    ...each(command, 'command', 'entrypoint'),
    ...each(listOf(fileReference), 'configs', 'secrets'),
    ...each(listOf(hook), 'pre_start', 'post_start', 'pre_stop'),
    blkio_config: object({
      weight: integer,
      weight_device: listOf((value) =>
        isMap(value)
          ? { Path: printValue(value.path ?? ''), Weight: Number(value.weight ?? 0) }
          : value,
      ),
      ...each(throttles, 'device_read_bps', 'device_read_iops'),
      ...each(throttles, 'device_write_bps', 'device_write_iops'),
    }),
    build,
    credential_spec: object({ config: text, file: text, registry: text }),
    depends_on: mapOf(dependency),
    deploy,
    develop: object({ watch: listOf(trigger) }),
    devices: listOf(object({ source: text, target: text, permissions: text })),
    env_file: listOf(object({ path: text, required: optOut, format: text })),
    environment,
    extra_hosts: hosts,
    gpus: listOf(deviceRequest),
    healthcheck: object({
      test: healthTest,
      timeout: duration,
      interval: duration,
      retries: setUnsigned,
      start_period: duration,
      start_interval: duration,
      disable: boolean,
    }),
    logging: object({ driver: text, options: mapping }),
    models: mapOf(object({ endpoint_var: text, model_var: text })),
    networks: mapOf(
      object({
        aliases: texts,
        driver_opts: mapping,
        gw_priority: integer,
        interface_name: text,
        ipv4_address: text,
        ipv6_address: text,
        link_local_ips: texts,
        mac_address: text,
        priority: integer,
      }),
    ),
    ports: listOf(
      object({
        name: text,
        mode: text,
        host_ip: text,
        target: unsigned,
        published: text,
        protocol: text,
        app_protocol: text,
      }),
    ),
    provider: object({ type: text, options: mapOf(values) }),
    scale: setInteger,
    stop_grace_period: duration,
    ulimits,
    volumes: listOf(mount),
  },
  { command: null, entrypoint: null },
)
