import { z } from 'zod'
import { ContainerId, flag, HostQuery, HostsQuery, since, tail } from '../kit/params.ts'

export const ContainerPath = z.object({ id: ContainerId })

export const Port = z
  .object({
    private: z.int(),
    public: z.int().nullable(),
    protocol: z.string(),
    ip: z.string().nullable(),
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
  service: 'web',
  host_id: 'local',
  host_name: 'local',
}

export const Container = z
  .object({
    id: z.string(),
    name: z.string(),
    image: z.string(),
    image_id: z.string(),
    state: z.enum(['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead']),
    status: z.string(),
    health: z.string().nullable(),
    created_at: z.string(),
    ports: z.array(Port),
    labels: z.record(z.string(), z.string()),
    stack: z.string().nullable(),
    service: z.string().nullable(),
    host_id: z.string(),
    host_name: z.string(),
  })
  .meta({ id: 'Container', examples: [example] })

export const ContainerDetails = Container.extend({
  command: z.array(z.string()),
  entrypoint: z.array(z.string()),
  env: z
    .array(z.string())
    .meta({ description: '`KEY=value`; without the permission containers:secrets only `KEY`' }),
  mounts: z.array(
    z.object({
      type: z.string(),
      source: z.string(),
      destination: z.string(),
      read_only: z.boolean(),
    }),
  ),
  networks: z.array(
    z.object({ name: z.string(), ip_address: z.string(), aliases: z.array(z.string()) }),
  ),
  restart_policy: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  exit_code: z.int().nullable(),
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
    },
  ],
})

export const ContainersQuery = HostsQuery.extend({
  all: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(false)
    .meta({ description: 'Include containers that are not running' }),
})

export const LogLine = z
  .object({ stream: z.enum(['stdout', 'stderr']), time: z.string(), line: z.string() })
  .meta({
    id: 'LogLine',
    examples: [{ stream: 'stdout', time: '2026-11-21T10:00:01.123456789Z', line: 'ready' }],
  })

export const TimeoutQuery = HostQuery.extend({
  timeout: z
    .string()
    .regex(/^\d{1,4}$/, 'a number of seconds')
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
      'a signal such as SIGHUP',
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

export const LogsQuery = HostQuery.extend({ tail, since })
