import { z } from 'zod'
import { linksMax } from '../core/links/container-links.ts'
import { deploymentKinds } from '../core/records/deployment-kinds.ts'
import { serviceStates, stackStatuses } from '../core/records/stack-state.ts'
import {
  after,
  EngineTime,
  flag,
  HostRef,
  OutputStream,
  SetName,
  StackName,
  since,
  tail,
  until,
} from '../kit/params.ts'
import { WaitQuery } from '../kit/wait.ts'
import { FilesChange, StackFile } from './files/schema.ts'
import { LastUpdate } from './last-update-schema.ts'
import { StackSource } from './source-schema.ts'

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
export const Text = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= megabyte, 'must be at most 1 MiB')
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character')

export const DeploymentKind = z
  .enum(deploymentKinds)
  .meta({ id: 'OperationKind', description: 'What is done to a stack' })
export const DeploymentStatus = z
  .enum(['running', 'succeeded', 'failed', 'interrupted'])
  .meta({ id: 'DeploymentStatus', description: 'How far a deployment is, or how it ended' })
const StackStatus = z
  .enum(stackStatuses)
  .meta({ id: 'StackStatus', description: 'What runs of a stack' })

export const StackPath = z.object({ name: StackName.describe('Name of the stack') })
export const DeploymentPath = z.object({
  name: StackName.describe('Name of the stack'),
  id: z.string().min(1).max(64).describe('Id of the deployment'),
})

const Time = z.iso.datetime()

/** The most sets of variables that one stack takes. */
const takenMax = 20

export const stackExample = {
  name: 'shop',
  host: 'local',
  host_name: 'local',
  directory: '/opt/stacks/shop',
  status: 'running' as const,
  operation: null,
  last_deployment: {
    id: '019a0000-0000-7000-8000-000000000000',
    kind: 'deploy' as const,
    status: 'succeeded' as const,
    error: null,
    finished_at: '2026-11-21T10:00:05.000Z',
  },
  environment: null,
  services: { total: 2, running: 2, unhealthy: 0 },
  revision: 1,
  deployed_revision: 1,
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:00:00.000Z',
  deployed_at: '2026-11-21T10:00:05.000Z',
  unsent_data: [],
  shared_variables: [],
  variables_changed: false,
}

const LastDeployment = z.object({
  id: z.string().describe('Id of the deployment'),
  kind: DeploymentKind.describe('What was asked for'),
  status: DeploymentStatus.describe(
    '`interrupted`: a user cancelled it, or the process that ran it ended',
  ),
  error: z.string().nullable().describe('The beginning of its error; `null` if it did not fail'),
  finished_at: Time.nullable().describe('When it ended; `null` while it is running'),
})

export const Stack = z
  .object({
    name: StackName.describe('Name of the stack'),
    host: z.string().meta({ description: 'Host id' }),
    host_name: z.string().nullable().describe('Name of the host; `null` if it was deleted'),
    directory: z.string().meta({ description: 'The directory of its files on its host' }),
    status: StackStatus.meta({
      description:
        'What runs of the stack. unknown: the host does not respond. deploying: an operation runs, see `operation`. not_deployed: saved, never deployed. ' +
        'failed: a service has failed or restarts again and again. running: every service is up; a job that ended with 0 counts as up. ' +
        'starting: some are not up yet. stopped, paused: all are. partial: anything else. A deployment that failed does not change it: see `last_deployment`',
    }),
    operation: DeploymentKind.nullable().describe('The operation that runs; `null` for none'),
    last_deployment: LastDeployment.nullable().describe(
      'The last operation that changed something, or is changing it',
    ),
    environment: EnvironmentName.nullable().describe('Overlay of the last deploy; `null` for none'),
    services: z
      .object({
        total: z.int().describe('Services that should have containers'),
        running: z.int().describe('Services that are running or completed'),
        unhealthy: z.int().describe('Further services that run, but whose health check fails'),
      })
      .describe('Number of services'),
    revision: z.int().meta({ description: 'Incremented with each change of its files' }),
    deployed_revision: z
      .int()
      .nullable()
      .meta({
        description:
          'The revision of the last deploy of the whole stack that succeeded; `null` if there was none, or the stack was taken down. ' +
          'If it is not `revision`, changes are saved that are not deployed',
      }),
    created_at: Time.describe('When the stack was created'),
    updated_at: Time.describe('When the stack was last changed'),
    deployed_at: Time.nullable().meta({
      description: 'When a deploy last succeeded and changed something',
    }),
    unsent_data: z
      .array(z.string())
      .describe('Mounts whose data the client had and did not send, such as `./data`'),
    shared_variables: z
      .array(SetName)
      .max(takenMax)
      .describe('Names of the sets of variables that it takes; a later one takes precedence'),
    variables_changed: z
      .boolean()
      .describe('A set that it takes changed since its last deploy, which a deploy takes'),
  })
  .meta({ id: 'Stack', examples: [stackExample] })

const plainFile = { mode: '0644', digest: 'a'.repeat(64), link: null, secret: false }
const overlaysExample = { prod: 'services:\n  web:\n    environment:\n      LOG: warn\n' }
const composeExample = 'services:\n  web:\n    image: nginx:1.29\n    ports: ["${PORT}:80"]\n'

export const StackDetails = Stack.extend({
  saved_by: z
    .string()
    .nullable()
    .describe('User name of the account that last saved its files; `null` if that is not recorded'),
  compose: z.string().describe('Text of `compose.yaml`'),
  env: z
    .string()
    .nullable()
    .meta({ description: 'The text of `.env`; null without the permission stacks:secrets' }),
  overlays: z
    .record(z.string(), z.string())
    .meta({ description: 'Contents of the overlays by environment name' }),
  files: z.array(StackFile).describe('All files of the stack'),
  drift: z
    .array(
      z.object({
        path: z.string().describe('Path of the file in the directory of the stack'),
        change: z.enum(['modified', 'missing']).describe('What happened to it on the host'),
      }),
    )
    .meta({ description: 'Files on the host that differ from the last written version' }),
  warnings: z.array(z.string()).meta({
    description:
      'Places that the account that last deployed the stack may no longer deploy, such as after an upgrade: the stack keeps running. ' +
      'Services whose image was built from other files than the stack has now, with one of the files',
  }),
  last_update: LastUpdate.nullable().describe(
    'How the last automatic update went; `null` if none was judged',
  ),
  source: StackSource.nullable().describe('The source that it follows; `null` for none'),
}).meta({
  id: 'StackDetails',
  examples: [
    {
      ...stackExample,
      saved_by: 'ada',
      compose: composeExample,
      env: 'PORT=8081\n',
      overlays: overlaysExample,
      files: [
        { ...plainFile, path: '.env', size: 10, mode: '0600', secret: true },
        { ...plainFile, path: 'compose.prod.yaml', size: 54 },
        { ...plainFile, path: 'compose.yaml', size: 67 },
      ],
      drift: [],
      warnings: [],
      last_update: null,
      source: null,
    },
  ],
})

export const UnsentData = z
  .array(
    z
      .string()
      .regex(/^\.(\/[^\0]+)?$/, 'must be `.` or begin with `./`')
      .max(4096),
  )
  .max(100)
  .meta({
    examples: [['./data']],
    description:
      'Files and directories that services mount, such as `./data`, whose data the client has and does not send. ' +
      'Until the host has them, plan and deploy warn that they start without it',
  })

/** The sets of variables that a request gives a stack. */
export const TakenSets = z
  .array(SetName)
  .max(takenMax)
  .refine((names) => new Set(names).size === names.length, 'must name each set once')
  .meta({
    examples: [['home']],
    description:
      'Names of the sets of variables that the files can use, of which a later one takes precedence; those of `.env` take precedence over all. Needs stacks:secrets. An empty list: none',
  })

export const Overlays = z
  .record(EnvironmentName, Text)
  .refine((overlays) => Object.keys(overlays).length <= 20, 'must have at most 20 overlays')

export const NewStack = z
  .strictObject({
    name: StackName.describe('Name of the stack, unique, also of its compose project'),
    host: HostRef.optional().describe('Id or name of the host; defaults to `local`'),
    compose: Text.describe('Text of `compose.yaml`, at most 1 MiB'),
    env: Text.optional().describe('Text of `.env`, at most 1 MiB'),
    overlays: Overlays.optional().meta({ description: 'Overlays by environment name' }),
    files: FilesChange.optional(),
    unsent_data: UnsentData.optional(),
    shared_variables: TakenSets.optional(),
  })
  .meta({
    id: 'NewStack',
    examples: [
      { name: 'shop', compose: composeExample, env: 'PORT=8081\n', overlays: overlaysExample },
    ],
  })

export const StackChange = z
  .strictObject({
    compose: Text.optional().describe('Text of `compose.yaml`, at most 1 MiB'),
    env: Text.nullable().optional().meta({ description: 'null deletes the file' }),
    overlays: Overlays.optional().meta({
      description: 'All overlays: those not listed are deleted',
    }),
    files: FilesChange.optional(),
    revision: z.int().optional().meta({ description: 'The revision that the change is based on' }),
    unsent_data: UnsentData.optional(),
    shared_variables: TakenSets.optional(),
  })
  .meta({ id: 'StackChange', examples: [{ compose: composeExample, revision: 1 }] })

export const StacksQuery = z.object({
  host: HostRef.optional().meta({
    description: 'A host id or name; defaults to all hosts in your scope',
  }),
  after,
})

export const StackLogsQuery = z.object({
  service: z
    .array(z.string().min(1).max(128))
    .max(100)
    .optional()
    .describe('Only lines of this service; repeatable'),
  tail: tail.meta({ description: 'Number of lines of each container' }),
  since,
  until,
})

export const StackLogLine = z
  .object({
    service: z.string().describe('Name of the service'),
    container_id: z.string().describe('Id of the container'),
    stream: OutputStream.describe('Which output the line was written to'),
    time: EngineTime.describe('When the line was written, with nanoseconds'),
    line: z.string().describe('The line, without its newline'),
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
    service: z.string().describe('Name of the service'),
    container_id: z.string().nullable().describe('Id of the container; `null` without one'),
    name: z.string().nullable().describe('Name of the container; `null` without one'),
    number: z
      .int()
      .nullable()
      .describe('Number of the container among those of its service; `null` without one'),
    state: z
      .string()
      .meta({ description: 'The state reported by the Engine; `missing` without a container' }),
    health: z
      .string()
      .nullable()
      .describe('`starting`, `healthy` or `unhealthy`; `null` without a health check'),
    image: z.string().nullable().describe('Name of the image of the container; `null` without one'),
    exit_code: z.int().nullable().describe('Exit code of the last run; `null` while it runs'),
    started_at: EngineTime.nullable().describe(
      'When the container was last started; `null` if it never was',
    ),
    restarts: z.int().describe('How often the Engine started it again'),
    ports: z
      .array(
        z.object({
          private: z.int().describe('Port in the container'),
          public: z.int().nullable().describe('Port on the host; `null` if it is not published'),
          protocol: z.string().describe('Protocol: `tcp`, `udp` or `sctp`'),
          ip: z
            .string()
            .nullable()
            .describe('Address on the host that it is published on; `null` if it is not published'),
        }),
      )
      .describe('Ports that the container exposes or publishes'),
    links: z.array(z.url()).max(linksMax).meta({
      description:
        'http and https URLs at which users reach the container while it runs: from the labels of Traefik and Caddy and the published TCP ports, or from the label `container-stacks.url` instead. Labels of images do not count',
    }),
    service_state: z.enum(serviceStates).meta({
      description:
        'The state of the service, over all of its containers. inactive: none is expected. restarting: a restart policy starts a container again, or did so and it has not been up for 10 s, and for twice as long as its last runs. missing: some do not exist. completed: a job that ended with 0. partial: anything else',
    }),
    detail: z.string().nullable().meta({
      description: 'Why it is in this state, such as `stopped by mia 14:02 UTC`',
    }),
  })
  .meta({
    id: 'ServiceStatus',
    examples: [
      {
        service: 'web',
        container_id: '4f6d1b0c9a2e',
        name: 'shop-web-1',
        number: 1,
        state: 'running',
        health: 'healthy',
        image: 'nginx:1.29',
        exit_code: null,
        started_at: '2026-11-21T10:00:05.000Z',
        restarts: 0,
        ports: [{ private: 80, public: 8081, protocol: 'tcp', ip: '0.0.0.0' }],
        links: ['http://192.168.1.20:8081'],
        service_state: 'running',
        detail: null,
      },
    ],
  })

export const RemovedStack = z
  .object({
    warnings: z
      .array(z.string())
      .max(5000)
      .describe('What stays, with the reason and how to remove it, and what else went wrong'),
  })
  .meta({
    id: 'RemovedStack',
    examples: [
      {
        warnings: [
          'volume shop_data stays: an earlier stack shop, which mia deleted, left it: `cli volumes delete shop_data` removes it, with stacks:privileged',
        ],
      },
    ],
  })

export const RemoveQuery = z.object({
  volumes: flag.default(false).meta({ description: 'Also delete its volumes' }),
  force: flag.default(false).meta({
    description:
      'Forget the stack if its host cannot be reached; what it left on the host stays there. Has no effect otherwise',
  }),
  ...WaitQuery.shape,
})
