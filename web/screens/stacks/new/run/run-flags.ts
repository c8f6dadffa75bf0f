/** What a flag of `docker run` becomes in a service. */
export type FlagKind =
  /** Takes a value, which becomes this field. */
  | { to: string; as: 'value' | 'number' | 'list' | 'seconds' }
  /** Takes no value. */
  | { to: string; as: 'switch' }
  /** Takes a value, and is converted by its own function. */
  | { as: 'special' }
  /** Says how the command runs, not what the container is. */
  | { as: 'nothing'; takesValue: boolean }

const valued = (names: Record<string, string>, as: 'value' | 'number' | 'list' | 'switch') =>
  Object.entries(names).map(([flag, to]): [string, FlagKind] => [flag, { to, as }])

/** Every flag with a corresponding field of a service, by its long name. */
export const flags: ReadonlyMap<string, FlagKind> = new Map<string, FlagKind>([
  ...valued(
    {
      name: 'container_name',
      hostname: 'hostname',
      domainname: 'domainname',
      user: 'user',
      workdir: 'working_dir',
      restart: 'restart',
      memory: 'mem_limit',
      pid: 'pid',
      ipc: 'ipc',
      'memory-swap': 'memswap_limit',
      'memory-reservation': 'mem_reservation',
      uts: 'uts',
      'shm-size': 'shm_size',
      platform: 'platform',
      runtime: 'runtime',
      gpus: 'gpus',
      'stop-signal': 'stop_signal',
      'cpuset-cpus': 'cpuset',
      'mac-address': 'mac_address',
      userns: 'userns_mode',
      cgroupns: 'cgroup',
      'cgroup-parent': 'cgroup_parent',
      isolation: 'isolation',
      pull: 'pull_policy',
    },
    'value',
  ),
  ...valued(
    {
      cpus: 'cpus',
      'cpu-shares': 'cpu_shares',
      'cpu-period': 'cpu_period',
      'cpu-quota': 'cpu_quota',
      'pids-limit': 'pids_limit',
      'oom-score-adj': 'oom_score_adj',
    },
    'number',
  ),
  ...valued(
    {
      publish: 'ports',
      volume: 'volumes',
      env: 'environment',
      'env-file': 'env_file',
      label: 'labels',
      'label-file': 'label_file',
      link: 'links',
      'add-host': 'extra_hosts',
      dns: 'dns',
      'dns-search': 'dns_search',
      'dns-option': 'dns_opt',
      device: 'devices',
      'cap-add': 'cap_add',
      'cap-drop': 'cap_drop',
      'group-add': 'group_add',
      'security-opt': 'security_opt',
      sysctl: 'sysctls',
      tmpfs: 'tmpfs',
      expose: 'expose',
      'device-cgroup-rule': 'device_cgroup_rules',
      annotation: 'annotations',
    },
    'list',
  ),
  ...valued(
    {
      interactive: 'stdin_open',
      tty: 'tty',
      init: 'init',
      privileged: 'privileged',
      'read-only': 'read_only',
      'oom-kill-disable': 'oom_kill_disable',
    },
    'switch',
  ),
  ['stop-timeout', { to: 'stop_grace_period', as: 'seconds' }],
  ...['network', 'mount', 'entrypoint', 'ulimit', 'log-driver', 'log-opt', 'health-cmd'].map(
    (name): [string, FlagKind] => [name, { as: 'special' }],
  ),
  ...['interval', 'timeout', 'retries', 'start-period', 'start-interval'].map(
    (name): [string, FlagKind] => [`health-${name}`, { as: 'special' }],
  ),
  ['no-healthcheck', { to: 'no-healthcheck', as: 'switch' }],
  ...['detach', 'sig-proxy', 'quiet', 'disable-content-trust'].map((name): [string, FlagKind] => [
    name,
    { as: 'nothing', takesValue: false },
  ]),
  ...['cidfile', 'detach-keys', 'attach'].map((name): [string, FlagKind] => [
    name,
    { as: 'nothing', takesValue: true },
  ]),
])

/** Flags without a value and without a field of a service. The reader sees which were dropped. */
export const withoutField: ReadonlySet<string> = new Set(['rm', 'publish-all'])

/** The long name of a short flag, and of another name of a long one. */
export const otherNames: Readonly<Record<string, string>> = {
  p: 'publish',
  v: 'volume',
  e: 'env',
  l: 'label',
  h: 'hostname',
  u: 'user',
  w: 'workdir',
  m: 'memory',
  i: 'interactive',
  t: 'tty',
  d: 'detach',
  q: 'quiet',
  a: 'attach',
  P: 'publish-all',
  c: 'cpu-shares',
  net: 'network',
}
