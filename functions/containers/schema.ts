import { z } from 'zod'
import {
  ContainerId,
  EngineTime,
  flag,
  HostQuery,
  HostsQuery,
  OutputStream,
  since,
  tail,
  until,
} from '../kit/params.ts'

export const ContainerPath = z.object({ id: ContainerId.describe('Id or name of the container') })

export const Port = z
  .object({
    private: z.int().describe('Port in the container'),
    public: z.int().nullable().describe('Port on the host; `null` if it is not published'),
    protocol: z.string().describe('Protocol: `tcp`, `udp` or `sctp`'),
    ip: z
      .string()
      .nullable()
      .describe('Address on the host that it is published on; `null` if it is not published'),
  })
  .meta({ id: 'Port', examples: [{ private: 80, public: 8081, protocol: 'tcp', ip: '0.0.0.0' }] })

const example = {
  id: '4f6d1b0c9a2e4f6d1b0c9a2e4f6d1b0c9a2e4f6d1b0c9a2e4f6d1b0c9a2e4f6d',
  name: 'shop-web-1',
  image: 'nginx:1.29',
  image_id: 'sha256:0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e',
  state: 'running',
  status: 'Up 3 minutes (healthy)',
  health: 'healthy',
  created_at: '2026-11-21T10:00:00.000Z',
  ports: [{ private: 80, public: 8081, protocol: 'tcp', ip: '0.0.0.0' }],
  labels: { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'web' },
  stack: 'shop',
  owner: 'stack' as const,
  service: 'web',
  volume_names: ['shop_pages'],
  network_names: ['shop_default'],
  host_id: 'local',
  host_name: 'local',
}

const ContainerState = z
  .enum(['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'])
  .meta({ id: 'ContainerState', description: 'State of a container as its Engine reports it' })
const ContainerOwner = z
  .enum(['stack', 'installation', 'foreign'])
  .meta({ id: 'ContainerOwner', description: 'Whose a container is' })

export const Container = z
  .object({
    id: z.string().describe('Id of the container, 64 hexadecimal digits'),
    name: z.string().describe('Name of the container'),
    image: z.string().describe('Name of the image that the container was created from'),
    image_id: z.string().describe('Id of that image'),
    state: ContainerState.describe('State of the container as the Engine reports it'),
    status: z.string().describe('The state as text, such as `Up 3 minutes (healthy)`'),
    health: z
      .string()
      .nullable()
      .describe('`starting`, `healthy` or `unhealthy`; `null` without a health check'),
    created_at: EngineTime.describe('When the container was created'),
    ports: z.array(Port).describe('Ports that the container exposes or publishes'),
    labels: z.record(z.string(), z.string()).describe('Labels of the container'),
    stack: z
      .string()
      .nullable()
      .describe('Name of its stack or compose project; `null` if it has none'),
    owner: ContainerOwner.describe(
      'Whose it is: of a `stack`, of the `installation` (the service, its store or an agent), or `foreign`',
    ),
    service: z.string().nullable().describe('Name of its service; `null` if it has none'),
    volume_names: z
      .array(z.string())
      .describe('Names of the volumes that it uses, also while it does not run'),
    network_names: z
      .array(z.string())
      .describe('Names of the networks that it is connected to, or will be when it starts'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
  })
  .meta({ id: 'Container', examples: [example] })

export const ContainerDetails = Container.extend({
  command: z.array(z.string()).describe('Arguments of the entrypoint'),
  entrypoint: z.array(z.string()).describe('Program that is started, with its first arguments'),
  env: z
    .array(z.string())
    .meta({ description: '`KEY=value`; without the permission containers:secrets only `KEY`' }),
  mounts: z
    .array(
      z.object({
        type: z.string().describe('Kind of the mount, such as `volume` or `bind`'),
        source: z.string().describe('Name of the volume, or path on the host'),
        destination: z.string().describe('Path in the container'),
        read_only: z.boolean().describe('Whether the container cannot write to it'),
      }),
    )
    .describe('Volumes and directories that the container uses'),
  networks: z
    .array(
      z.object({
        name: z.string().describe('Name of the network'),
        ip_address: z.string().describe('Address of the container; empty while it does not run'),
        aliases: z.array(z.string()).describe('Names of the container in that network'),
      }),
    )
    .describe('Networks that the container is connected to'),
  restart_policy: z
    .string()
    .describe('When the Engine starts it again: `no`, `always`, `unless-stopped` or `on-failure`'),
  started_at: EngineTime.nullable().describe('When it was last started; `null` if it never was'),
  finished_at: EngineTime.nullable().describe('When it last ended; `null` if it never did'),
  exit_code: z.int().nullable().describe('Exit code of the last run; `null` while it runs'),
  health_output: z
    .string()
    .nullable()
    .describe(
      'What the last health check printed, in one line; `null` unless it failed and printed something',
    ),
}).meta({
  id: 'ContainerDetails',
  examples: [
    {
      ...example,
      command: ['nginx', '-g', 'daemon off;'],
      entrypoint: ['/docker-entrypoint.sh'],
      env: ['NGINX_VERSION=1.29'],
      mounts: [
        {
          type: 'volume',
          source: 'shop_pages',
          destination: '/usr/share/nginx/html',
          read_only: true,
        },
      ],
      networks: [{ name: 'shop_default', ip_address: '172.20.0.3', aliases: ['web'] }],
      restart_policy: 'unless-stopped',
      started_at: '2026-11-21T10:00:01.000Z',
      finished_at: null,
      exit_code: null,
      health_output: null,
    },
  ],
})

export const ContainersQuery = HostsQuery.extend({
  all: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(false)
    .meta({ description: 'Include containers that are not running' }),
  health: z
    .enum(['starting', 'healthy', 'unhealthy'])
    .optional()
    .meta({ description: 'Only the containers whose health check says this' }),
  stack: z.string().min(1).max(128).optional().describe('Only the containers of this stack'),
  label: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('Only the containers with this label, `key` or `key=value`'),
})

export const LogLine = z
  .object({
    stream: OutputStream.describe('Which output the line was written to'),
    time: EngineTime.describe('When the line was written, with nanoseconds'),
    line: z.string().describe('The line, without its newline'),
  })
  .meta({
    id: 'LogLine',
    examples: [{ stream: 'stdout', time: '2026-11-21T10:00:01.123456789Z', line: 'ready' }],
  })

export const TimeoutQuery = HostQuery.extend({
  timeout: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number of seconds from 0 to 9999')
    .transform(Number)
    .optional()
    .meta({
      description:
        'Seconds to wait before the container is killed; defaults to its own grace period',
    }),
})

export const SignalQuery = HostQuery.extend({
  signal: z
    .string()
    .regex(
      /^(?:[A-Z][A-Z0-9+-]{0,12}|[1-9]|[12]\d|3[014-9]|[45]\d|6[0-4])$/,
      'must be a signal such as SIGHUP',
    )
    .optional()
    .meta({ description: 'Defaults to SIGKILL' }),
})

export const RemoveContainerQuery = HostQuery.extend({
  force: flag.default(false).meta({
    description: 'Kill the container first if it is running',
    default: false,
  }),
})

export const LogsQuery = HostQuery.extend({ tail, since, until })
