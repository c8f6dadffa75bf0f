import { z } from 'zod'
import { StackName, since, tail } from '../kit/params.ts'

const name = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** The name of an overlay: `prod` is `compose.prod.yaml`. */
export const EnvironmentName = z
  .string()
  .regex(
    name,
    'must be at most 63 lower-case letters, digits, - and _, beginning with a letter or digit',
  )
  .meta({ examples: ['prod'] })

const megabyte = 1024 * 1024

/** The text of a stack's file: at most 1 MiB of UTF-8, without NUL. */
const Text = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= megabyte, 'larger than 1 MiB')
  .refine((text) => !text.includes('\0'), 'contains a NUL character')

export const StackPath = z.object({ name: StackName })
export const DeploymentPath = z.object({ name: StackName, id: z.string().min(1).max(64) })

const Time = z.iso.datetime()

export const stackExample = {
  name: 'shop',
  host: 'local',
  directory: '/opt/stacks/shop',
  status: 'running' as const,
  environment: null,
  services: { total: 2, running: 2 },
  revision: 1,
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:00:00.000Z',
  deployed_at: '2026-11-21T10:00:05.000Z',
}

export const Stack = z
  .object({
    name: StackName,
    host: z.string().meta({ description: 'Host id' }),
    directory: z.string().meta({ description: 'The directory of its files on its host' }),
    status: z
      .enum(['not_deployed', 'deploying', 'running', 'partial', 'stopped', 'failed', 'unknown'])
      .meta({
        description:
          'not_deployed: saved, never deployed. running: every service is up; a one-shot that exited with 0 counts as up. partial: only some are. ' +
          'failed: the last deploy failed, see its deployment. unknown: the host does not respond',
      }),
    environment: EnvironmentName.nullable(),
    services: z.object({ total: z.int(), running: z.int() }),
    revision: z.int().meta({ description: 'Incremented with each change of its files' }),
    created_at: Time,
    updated_at: Time,
    deployed_at: Time.nullable().meta({
      description: 'When a deploy last succeeded and changed something',
    }),
  })
  .meta({ id: 'Stack', examples: [stackExample] })

const overlaysExample = { prod: 'services:\n  web:\n    environment:\n      LOG: warn\n' }
const composeExample = 'services:\n  web:\n    image: nginx:1.29\n    ports: ["${PORT}:80"]\n'

export const StackDetails = Stack.extend({
  compose: z.string(),
  env: z
    .string()
    .nullable()
    .meta({ description: 'The text of `.env`; null without the permission stacks:secrets' }),
  overlays: z
    .record(z.string(), z.string())
    .meta({ description: 'Contents of the overlays by environment name' }),
  files: z.array(z.object({ path: z.string(), size: z.int() })),
  drift: z
    .array(z.object({ path: z.string(), change: z.enum(['modified', 'missing']) }))
    .meta({ description: 'Files on the host that differ from the last written version' }),
  warnings: z.array(z.string()).meta({
    description:
      'Places that the account that last deployed the stack may no longer deploy, such as after an upgrade. The stack keeps running.',
  }),
}).meta({
  id: 'StackDetails',
  examples: [
    {
      ...stackExample,
      compose: composeExample,
      env: 'PORT=8081\n',
      overlays: overlaysExample,
      files: [
        { path: '.env', size: 10 },
        { path: 'compose.prod.yaml', size: 54 },
        { path: 'compose.yaml', size: 67 },
      ],
      drift: [],
      warnings: [],
    },
  ],
})

const Overlays = z
  .record(EnvironmentName, Text)
  .refine((overlays) => Object.keys(overlays).length <= 20, 'more than 20 overlays')

export const NewStack = z
  .strictObject({
    name: StackName,
    host: z.string().min(1).max(128).optional(),
    compose: Text,
    env: Text.optional(),
    overlays: Overlays.optional().meta({ description: 'Overlays by environment name' }),
  })
  .meta({
    id: 'NewStack',
    examples: [
      { name: 'shop', compose: composeExample, env: 'PORT=8081\n', overlays: overlaysExample },
    ],
  })

export const StackChange = z
  .strictObject({
    compose: Text.optional(),
    env: Text.nullable().optional().meta({ description: 'null deletes the file' }),
    overlays: Overlays.optional().meta({
      description: 'All overlays: those not listed are deleted',
    }),
    revision: z.int().optional().meta({ description: 'The revision that the change is based on' }),
  })
  .meta({ id: 'StackChange', examples: [{ compose: composeExample, revision: 1 }] })

export const StacksQuery = z.object({
  host: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'A host id; defaults to all hosts in your scope' }),
})

export const StackLogsQuery = z.object({
  service: z.string().min(1).max(128).optional(),
  tail: tail.meta({ description: 'Number of lines of each container' }),
  since,
})

export const StackLogLine = z
  .object({
    service: z.string(),
    container_id: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    time: z.string(),
    line: z.string(),
  })
  .meta({
    id: 'StackLogLine',
    examples: [
      {
        service: 'web',
        container_id: '4f6d1b0c9a2e',
        stream: 'stdout',
        time: '2026-11-21T10:00:06.123456789Z',
        line: 'ready',
      },
    ],
  })

export const ServiceStatus = z
  .object({
    service: z.string(),
    container_id: z.string().nullable(),
    name: z.string().nullable(),
    state: z
      .string()
      .meta({ description: 'The state reported by the Engine; `missing` without a container' }),
    health: z.string().nullable(),
    image: z.string().nullable(),
    exit_code: z.int().nullable(),
    started_at: z.string().nullable(),
    restarts: z.int(),
    ports: z.array(
      z.object({
        private: z.int(),
        public: z.int().nullable(),
        protocol: z.string(),
        ip: z.string().nullable(),
      }),
    ),
  })
  .meta({
    id: 'ServiceStatus',
    examples: [
      {
        service: 'web',
        container_id: '4f6d1b0c9a2e',
        name: 'shop-web-1',
        state: 'running',
        health: 'healthy',
        image: 'nginx:1.29',
        exit_code: null,
        started_at: '2026-11-21T10:00:05.000Z',
        restarts: 0,
        ports: [{ private: 80, public: 8081, protocol: 'tcp', ip: '0.0.0.0' }],
      },
    ],
  })

export const RemoveQuery = z.object({
  volumes: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(false)
    .meta({ description: 'Also delete its volumes' }),
})
