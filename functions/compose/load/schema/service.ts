import type { Schema } from './forms.ts'
import {
  boolean,
  command,
  either,
  integer,
  list,
  listOrMapping,
  mapping,
  nullable,
  number,
  numberOrString,
  object,
  ref,
  scalar,
  string,
  stringOrList,
  strings,
  uniqueStrings,
} from './forms.ts'

const text = (...names: string[]) => all(names, string)
const bool = (...names: string[]) => all(names, boolean)
const all = (names: string[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema]))

/** The schema of a service, with all attributes of the Compose specification. */
export const service: Schema = object({
  container_name: { type: 'string', pattern: '[a-zA-Z0-9][a-zA-Z0-9_.-]+' },
  ...text('cgroup_parent', 'cpuset', 'domainname', 'hostname', 'image', 'ipc'),
  ...text(
    'isolation',
    'mac_address',
    'network_mode',
    'platform',
    'restart',
    'runtime',
    'stop_signal',
  ),
  ...text('user', 'userns_mode', 'uts', 'volume_driver', 'working_dir', 'stop_grace_period'),
  ...bool('attach', 'init', 'oom_kill_disable', 'privileged', 'read_only', 'stdin_open', 'tty'),
  ...bool('use_api_socket'),
  ...all(['cpu_shares', 'cpu_quota', 'cpu_period', 'cpus', 'pids_limit'], number),
  ...all(['cpu_rt_period', 'cpu_rt_runtime', 'mem_limit', 'memswap_limit'], numberOrString),
  ...all(['shm_size'], numberOrString),
  ...all(['mem_reservation', 'mem_swappiness'], integer),
  ...all(['annotations', 'labels', 'sysctls'], listOrMapping),
  ...all(
    ['cap_add', 'cap_drop', 'device_cgroup_rules', 'dns_opt', 'external_links'],
    uniqueStrings,
  ),
  ...all(['links', 'profiles', 'security_opt', 'volumes_from'], uniqueStrings),
  ...all(['dns', 'dns_search', 'label_file', 'tmpfs'], stringOrList),
  ...all(['command', 'entrypoint'], command),
  ...all(['configs', 'secrets'], list(either(string, ref('fileReference')))),
  ...all(['pre_start', 'post_start', 'pre_stop'], list(ref('hook'))),
  blkio_config: ref('blkio'),
  build: either(string, ref('build')),
  cgroup: { type: 'string', enum: ['host', 'private'] },
  cpu_count: either({ type: 'integer', minimum: 0 }, string),
  cpu_percent: either({ type: 'integer', minimum: 0, maximum: 100 }, string),
  credential_spec: object({ config: string, file: string, registry: string }),
  depends_on: ref('dependsOn'),
  deploy: nullable(ref('deploy')),
  develop: nullable(ref('develop')),
  devices: list(
    either(string, object({ source: string, target: string, permissions: string }, ['source'])),
  ),
  env_file: ref('envFile'),
  environment: listOrMapping,
  expose: list(integer),
  extends: either(string, object({ service: string, file: string }, ['service'])),
  extra_hosts: ref('extraHosts'),
  gpus: either({ type: 'string', enum: ['all'] }, list(ref('deviceRequest'))),
  group_add: { ...list(integer), uniqueItems: true },
  healthcheck: ref('healthcheck'),
  logging: object({
    driver: string,
    options: mapping({ type: ['string', 'number', 'null'] }),
  }),
  models: either(strings, mapping(nullable(object({ endpoint_var: string, model_var: string })))),
  networks: either(uniqueStrings, mapping(nullable(ref('serviceNetwork')))),
  oom_score_adj: either({ type: 'integer', minimum: -1000, maximum: 1000 }, string),
  pid: { type: ['string', 'null'] },
  ports: list(either(integer, ref('port'))),
  provider: object(
    {
      type: string,
      options: mapping(either(scalar, list({ type: ['string', 'number', 'boolean'] }))),
    },
    ['type'],
  ),
  pull_policy: {
    type: 'string',
    pattern:
      '^(always|never|build|if_not_present|missing|refresh|daily|weekly|every_([0-9]+[wdhms])+)$',
  },
  pull_refresh_after: string,
  scale: integer,
  storage_opt: { type: 'object' },
  ulimits: ref('ulimits'),
  volumes: list(either(string, ref('mount'))),
})
