import { z } from 'zod'
import { Reason } from '../core/reason-schema.ts'
import { updateCauses } from '../core/records/stack-update.ts'
import { HostRef, StackName } from '../kit/params.ts'
import { DeploymentKind, DeploymentStatus, EnvironmentName } from './schema.ts'
import { DeployedSource } from './source-schema.ts'

/** How long a container may take to stop. */
export const TimeoutSeconds = z
  .int()
  .min(0)
  .max(3600)
  .describe(
    'How long a container may take to stop before it is killed, in seconds; defaults to `stop_grace_period` of its service',
  )

const PullPolicy = z
  .enum(['missing', 'always', 'never'])
  .meta({ id: 'PullPolicy', description: 'When images are pulled' })
const BuildPolicy = z
  .enum(['missing', 'always'])
  .meta({ id: 'BuildPolicy', description: 'When images are built' })

const OnDrift = z.enum(['fail', 'overwrite', 'import']).meta({
  id: 'OnDrift',
  description: 'What to do with files that were edited on the host',
})

/** How many containers a service gets. */
export const Replicas = z.int().min(0).max(1000)

export const Step = z
  .object({
    action: z.string().describe('What is done, such as `create`'),
    kind: z.string().describe('Kind of what it is done to, such as `container`'),
    name: z.string().describe('Name of what it is done to'),
    reason: z.string().describe('Why it is done'),
  })
  .meta({
    id: 'PlannedStep',
    examples: [{ action: 'create', kind: 'container', name: 'shop-web-1', reason: 'no container' }],
  })

const StepReport = z.object({
  ...Step.shape,
  status: z
    .enum(['pending', 'running', 'done', 'failed', 'skipped'])
    .describe(
      'State of the step. `skipped`: an earlier step failed, or the deployment was cancelled before it',
    ),
  ms: z.int().nullable().describe('How long it took in milliseconds; `null` until it has ended'),
  error: z.string().nullable().describe('Why it failed; `null` unless it failed'),
  image: z
    .object({
      before: z.string().describe('Image that the container or the name had'),
      after: z.string().describe('Image that it gets'),
    })
    .optional()
    .describe(
      'How the image of a container that is replaced changes, absent if its name does not; or, of a step `tag`, how the image of a name does',
    ),
  progress: z
    .object({
      current: z.int().describe('Bytes that are downloaded'),
      total: z.int().describe('Bytes of the layers whose size is known so far'),
    })
    .optional()
    .describe('How much of an image is downloaded; absent unless it is being pulled'),
})

export const Deployment = z
  .object({
    id: z.string().describe('Id of the deployment'),
    stack: StackName.describe('Name of the stack'),
    kind: DeploymentKind.describe('What was asked for'),
    cause: z
      .enum([...updateCauses, 'hook', 'source'])
      .nullable()
      .describe(
        'Why the service began it by itself: `update` applied newer images by the update policy of the stack, `update_rollback` deployed the images from before one, `hook` followed a request to the hook of the stack, `source` what the source of the stack has. `null` if someone asked for it',
      ),
    source: DeployedSource.nullable().describe(
      'What its files were taken from, if it follows the source of the stack, or if a user deployed the whole stack with the newest files of it; `null` for others',
    ),
    rolled_back_to: z
      .string()
      .nullable()
      .describe('Id of the deployment that a rollback deployed again; `null` for other kinds'),
    host: z.string().describe('Id of the host'),
    host_name: z.string().nullable().describe('Name of the host; `null` if it was deleted'),
    environment: EnvironmentName.nullable().describe('Overlay that was applied; `null` for none'),
    services: z
      .array(z.string())
      .describe('The services that the operation named; empty if it was for the whole stack'),
    profiles: z.array(z.string()).describe('Profiles that were active'),
    revision: z.int().describe('Revision of the files of the stack'),
    status: DeploymentStatus.describe(
      '`interrupted`: a user cancelled it, or the process that ran it ended',
    ),
    error: z.string().nullable().describe('Why it failed; `null` if it did not'),
    reason: Reason.nullable().meta({
      description:
        'Why it failed, for programs: a reason as in `X-Error-Reason`; `null` if it did not or that is unknown',
    }),
    started_at: z.iso.datetime().describe('When it started'),
    finished_at: z.iso.datetime().nullable().describe('When it ended; `null` while it is running'),
    by: z.string().describe('User name of the actor'),
    steps: z.array(StepReport).describe('Steps in their order'),
    images: z.record(z.string(), z.string()).meta({ description: 'Image digest or id by service' }),
    warnings: z.array(z.string()).meta({
      description:
        'Warnings: variables that are not set, changes that were not made, messages of the Engine',
    }),
  })
  .meta({
    id: 'Deployment',
    examples: [
      {
        id: '019a0000-0000-7000-8000-000000000000',
        stack: 'shop',
        kind: 'deploy',
        cause: null,
        source: null,
        rolled_back_to: null,
        host: 'local',
        host_name: 'local',
        environment: null,
        services: [],
        profiles: [],
        revision: 1,
        status: 'succeeded',
        error: null,
        reason: null,
        started_at: '2026-11-21T10:00:00.000Z',
        finished_at: '2026-11-21T10:00:05.000Z',
        by: 'ada',
        steps: [
          {
            action: 'create',
            kind: 'container',
            name: 'shop-web-1',
            reason: 'no container',
            status: 'done',
            ms: 120,
            error: null,
          },
        ],
        images: {
          web: 'sha256:0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e',
        },
        warnings: ['The "TAG" variable is not set. Defaulting to a blank string.'],
      },
    ],
  })

/** Names of what a caller accepts although an account that saved the files may not use it. */
const AcceptReferences = z
  .array(z.string().min(1).max(256))
  .max(100)
  .optional()
  .meta({
    description:
      'What the files may refer to although an account that saved them may not use it, by the names that the plan and the 409 `references-not-accepted` show. Other names have no effect',
    examples: [['volume:media_files', 'network:proxy_default']],
  })

const selection = {
  services: z
    .array(z.string().min(1).max(128))
    .min(1)
    .max(200)
    .optional()
    .describe('Names of the services to deploy, with those that they depend on; defaults to all'),
  dependencies: z.boolean().optional().meta({
    description: 'With `false` the services that `services` depend on are left as they are',
  }),
  scale: z
    .record(z.string().min(1).max(128), Replicas)
    .optional()
    .meta({
      description:
        'How many containers services get instead of what the compose file says: service → number. Kept until their next deploy',
      examples: [{ web: 3 }],
    }),
  profiles: z.array(z.string().min(1).max(128)).max(100).optional().meta({
    description:
      'Profiles to activate; defaults to those of the last deploy. With an empty list, those that `COMPOSE_PROFILES` in `.env` names',
  }),
}

/** The body of a deploy. A plan takes the same, so that it shows what a deploy does. */
const deployShape = {
  ...selection,
  timeout_seconds: TimeoutSeconds.optional(),
  environment: EnvironmentName.optional().meta({
    description: 'Applies the overlay `compose.<name>.yaml`; defaults to none',
  }),
  pull: PullPolicy.optional().describe(
    'When images are pulled: only if they are missing on the host, always, or never. By default `pull_policy` of each service decides',
  ),
  build: BuildPolicy.optional().describe(
    'When images of services with `build` are built: only if they are missing on the host, or always. By default `pull_policy` of each service decides',
  ),
  force_recreate: z.boolean().optional().describe('Also replace containers that are up to date'),
  remove_orphans: z
    .boolean()
    .optional()
    .describe('Remove containers of services that are no longer in the files'),
  start: z.boolean().optional().meta({
    description:
      'With `false` containers are created but not started, and replaced ones stay stopped, as with `docker compose create`; defaults to true',
  }),
  all_resources: z.boolean().optional().meta({
    description: 'Also create the networks and volumes that no service uses; defaults to false',
  }),
  take_over: z.boolean().optional().meta({
    description:
      'Also replace containers of no compose project that have the `container_name` of a service; their volumes are kept. A deploy needs containers:delete and stacks:privileged for it, a plan containers:read; defaults to false',
  }),
  host: HostRef.optional().meta({
    description: 'Sets the host of a stack that was never deployed: a host id or name',
  }),
  on_drift: OnDrift.optional().describe(
    'What to do with files that were edited on the host: `fail` (409, the default), `overwrite` writes those of ' +
      'the stack, `import` takes those of the host into the stack as a new revision if they load',
  ),
  accept_references: AcceptReferences,
  revision: z
    .int()
    .min(1)
    .optional()
    .meta({
      description:
        'The revision that the files of the stack must have, such as `X-Revision` of the plan. If they have another one when the ' +
        'deploy begins, the response is 409 `stale-revision`, and nothing was changed; defaults to any',
    }),
}

export const PlanBody = z
  .strictObject(deployShape)
  .meta({ id: 'PlanBody', examples: [{ environment: 'prod', remove_orphans: true }] })

export const DeployBody = z.strictObject(deployShape).meta({
  id: 'DeployBody',
  examples: [{ environment: 'prod', remove_orphans: true, revision: 3 }],
})

export const RollbackBody = z
  .strictObject({
    deployment_id: z.string().min(1).max(64).meta({
      description: 'The id of a successful deploy of the stack',
    }),
    on_drift: z
      .enum(['fail', 'overwrite'])
      .optional()
      .meta({
        description:
          'What to do with files that were edited on the host: `fail` (409, the default), or `overwrite` writes those of ' +
          'that deployment. `import` is not available for a rollback',
      }),
    accept_references: AcceptReferences,
  })
  .meta({
    id: 'RollbackBody',
    examples: [{ deployment_id: '019a0000-0000-7000-8000-000000000000' }],
  })

export const DownBody = z
  .strictObject({
    volumes: z.boolean().optional().describe('Also remove its volumes, with their data'),
    images: z
      .enum(['none', 'local', 'all'])
      .optional()
      .describe(
        'Which images to remove: `local` those that it built and that have no name in the file, `all` those of all services',
      ),
    timeout_seconds: TimeoutSeconds.optional(),
  })
  .meta({ id: 'DownBody', examples: [{ volumes: true, images: 'local' }] })

export const StopBody = z
  .strictObject({ timeout_seconds: TimeoutSeconds.optional() })
  .meta({ id: 'StopBody', examples: [{ timeout_seconds: 30 }] })

export const RestartBody = z
  .strictObject({
    services: z
      .array(z.string().min(1).max(128))
      .min(1)
      .max(200)
      .optional()
      .describe('Names of the services to restart; defaults to all'),
    timeout_seconds: TimeoutSeconds.optional(),
  })
  .meta({ id: 'RestartBody', examples: [{ services: ['web'] }] })
