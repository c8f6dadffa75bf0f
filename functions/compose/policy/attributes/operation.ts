import type { Section } from './attribute.ts'

const hooks = (kinds: readonly string[], keys: readonly string[]) =>
  kinds.flatMap((kind) => keys.map((key) => `${kind}.*.${key}`))
const rollout = ['delay', 'failure_action', 'max_failure_ratio', 'monitor', 'order', 'parallelism']
const rolloutSample =
  '{delay: 1s, failure_action: pause, max_failure_ratio: 0.1, monitor: 1s, order: stop-first, parallelism: 1}'
const kinds = ['pre_start', 'post_start', 'pre_stop']
const hookSample = '[{command: id, environment: {A: b}, user: root, working_dir: /}]'

/** Attributes of starting, stopping and running a service. */
export const operation: Section = {
  title: 'Operation of a service',
  at: 'services.*',
  groups: [
    {
      attributes: [
        'restart',
        ...['condition', 'max_attempts'].map((key) => `deploy.restart_policy.${key}`),
      ],
      derived: 'When the Engine restarts the container, with increasing delays',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'restart: always',
        'deploy: {restart_policy: {condition: on-failure, max_attempts: 3}}',
      ],
    },
    {
      attributes: ['scale', 'deploy.replicas', 'profiles'],
      derived: 'The number of containers, up to the limits of a project',
      by: 'this service',
      who: 'anyone',
      tests: ['functions/compose/measure/measure.test.ts › counts numbers of any size'],
      allowed: ['scale: 2', 'deploy: {replicas: 2}', 'profiles: [p]'],
    },
    {
      attributes: [
        'depends_on',
        ...['condition', 'required', 'restart'].map((key) => `depends_on.*.${key}`),
      ],
      derived: 'The order of steps',
      by: 'this service',
      who: 'anyone',
      allowed: [
        'depends_on: [db]',
        'depends_on: {db: {condition: service_started, required: true, restart: true}}',
      ],
    },
    {
      attributes: [
        'test',
        'interval',
        'timeout',
        'retries',
        'start_period',
        'start_interval',
        'disable',
      ].map((key) => `healthcheck.${key}`),
      derived:
        'A command that the Engine runs periodically in the container. An image can have one too',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'healthcheck: {test: [CMD, id], interval: 1s, timeout: 1s, retries: 3, start_period: 1s, start_interval: 1s}',
        'healthcheck: {disable: true}',
      ],
    },
    {
      attributes: ['logging.driver'],
      derived:
        'Where logs are sent. Some drivers connect to addresses or open files with the privileges of the Engine',
      by: 'Engine',
      who: 'by value',
      values: '`json-file`, `local`, `journald`, `none`',
      tests: ['functions/compose/policy/dials.test.ts › every place of a project is listed'],
      allowed: ['logging: {driver: json-file}', 'logging: {driver: journald}'],
      refused: ['logging: {driver: syslog}', 'logging: {driver: gelf}', 'logging: {driver: loki}'],
    },
    {
      attributes: ['logging.options'],
      derived:
        'Processor time and memory of the Engine itself: a tag is a template (`{{pad "x" 9000000000 0}}` crashes the Engine), and a buffer does not count towards the container’s limits. Without `max-size` a log grows until the disk is full',
      by: 'Engine',
      who: 'by value',
      values:
        'sizes, up to 999 files, buffers up to 64 MiB, tags of plain fields such as `{{.Name}}`, expressions up to 200 characters',
      allowed: [
        'logging: {options: {max-size: 10m, max-file: "3", tag: "{{.Name}}/{{.ID}}", mode: non-blocking, max-buffer-size: 4m}}',
      ],
      refused: [
        `logging: {options: {tag: '{{pad "x" 9000000000 0}}'}}`,
        'logging: {options: {mode: non-blocking, max-buffer-size: 64g}}',
        'logging: {options: {max-file: "1000000000"}}',
        `logging: {options: {labels-regex: "${'('.repeat(201)}"}}`,
        'logging: {driver: fluentd, options: {fluentd-address: "UNIX:///run/docker.sock"}}',
        'logging: {options: {unknown: x}}',
      ],
    },
    {
      attributes: ['labels', 'deploy.labels'],
      derived:
        'Instructions to other programs with access to the Engine’s socket: a proxy routes requests for any name to the container that claims it, a scheduler runs commands. The `com.docker.compose.*` labels of this service replace those of the file',
      by: 'Engine',
      who: 'anyone',
      allowed: ['labels: {traefik.enable: "true"}, deploy: {labels: {a: b}}'],
    },
    {
      attributes: [
        ...hooks(['pre_start', 'post_start', 'pre_stop'], ['command', 'environment', 'user']),
        ...hooks(['pre_start', 'post_start', 'pre_stop'], ['working_dir']),
      ],
      derived:
        'Commands in the container; `pre_start` runs in a separate container before it. Both have the same networks and mounts, and the Engine’s default privileges',
      by: 'Engine',
      who: 'anyone',
      allowed: kinds.map((kind) => `${kind}: ${hookSample}`),
    },
    {
      attributes: ['pre_start.*.image'],
      derived: 'The image of such a container; see `image`',
      by: 'registry',
      who: 'by value',
      values: 'as `image`',
      allowed: ['pre_start: [{command: id, image: busybox}]'],
      refused: ['pre_start: [{command: id, image: "localhost:5000/a"}]'],
    },
    {
      attributes: hooks(kinds, ['privileged']),
      derived: 'A command with all privileges of the host',
      by: 'Engine',
      who: 'privileged',
      refused: kinds.map((kind) => `${kind}: [{command: id, privileged: true}]`),
    },
    {
      attributes: ['pre_start.*.per_replica'],
      derived: 'No effect: `true` is not supported',
      by: 'nothing',
      who: 'unsupported',
      refused: ['pre_start: [{command: id, per_replica: true}]'],
    },
    {
      attributes: [
        ...['attach', 'deploy.mode', 'deploy.endpoint_mode'],
        ...['constraints', 'max_replicas_per_node', 'preferences.*.spread'].map(
          (key) => `deploy.placement.${key}`,
        ),
        ...['delay', 'window'].map((key) => `deploy.restart_policy.${key}`),
        ...rollout.flatMap((key) => [
          `deploy.update_config.${key}`,
          `deploy.rollback_config.${key}`,
        ]),
        ...['action', 'path', 'target', 'ignore', 'include', 'initial_sync'].map(
          (key) => `develop.watch.*.${key}`,
        ),
        ...hooks(['develop.watch.*.exec'], [...hookKeys()]).map((path) =>
          path.replace('exec.*', 'exec'),
        ),
        ...hooks(['post_start', 'pre_stop'], ['image', 'per_replica']),
      ],
      derived: 'No effect: the service ignores them',
      by: 'nothing',
      who: 'no effect',
      allowed: [
        'attach: false, deploy: {mode: replicated, endpoint_mode: vip, placement: {constraints: [a], max_replicas_per_node: 1, preferences: [{spread: a}]}}',
        `deploy: {restart_policy: {delay: 1s, window: 1s}, update_config: ${rolloutSample}, rollback_config: ${rolloutSample}}`,
        'develop: {watch: [{action: sync, path: /etc, target: /x, ignore: [a], include: [b], initial_sync: true}]}',
        'develop: {watch: [{action: sync+exec, path: ., target: /x, exec: {command: id, environment: {A: b}, image: x, per_replica: true, privileged: true, user: root, working_dir: /}}]}',
        ...['post_start', 'pre_stop'].map(
          (kind) => `${kind}: [{command: id, image: x, per_replica: true}]`,
        ),
      ],
    },
  ],
}

function hookKeys(): string[] {
  return ['command', 'environment', 'image', 'per_replica', 'privileged', 'user', 'working_dir']
}
