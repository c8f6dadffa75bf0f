import { z } from 'zod'
import { StackName } from '../kit/params.ts'
import { EnvironmentName } from './schema.ts'

export const Step = z
  .object({
    action: z.string(),
    kind: z.string(),
    name: z.string(),
    reason: z.string(),
  })
  .meta({
    id: 'PlannedStep',
    examples: [{ action: 'create', kind: 'container', name: 'shop-web-1', reason: 'no container' }],
  })

const StepReport = z.object({
  ...Step.shape,
  status: z.enum(['pending', 'running', 'done', 'failed', 'skipped']),
  ms: z.number().nullable(),
})

export const Deployment = z
  .object({
    id: z.string(),
    stack: StackName,
    kind: z.enum(['deploy', 'rollback', 'stop', 'restart', 'remove']),
    host: z.string(),
    environment: EnvironmentName.nullable(),
    revision: z.int(),
    status: z.enum(['running', 'succeeded', 'failed', 'interrupted']),
    error: z.string().nullable(),
    started_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    by: z.string(),
    steps: z.array(StepReport),
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
        host: 'local',
        environment: null,
        revision: 1,
        status: 'succeeded',
        error: null,
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
          },
        ],
        images: {
          web: 'sha256:0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e',
        },
        warnings: ['The "TAG" variable is not set. Defaulting to a blank string.'],
      },
    ],
  })

export const PlanOrder = z
  .strictObject({ environment: EnvironmentName.optional() })
  .meta({ id: 'PlanOrder', examples: [{ environment: 'prod' }] })

export const DeployOrder = z
  .strictObject({
    environment: EnvironmentName.optional().meta({
      description: 'Applies the overlay `compose.<name>.yaml`; defaults to none',
    }),
    host: z.string().min(1).max(128).optional().meta({
      description: 'Sets the host of a stack that was never deployed',
    }),
    pull: z.enum(['missing', 'always', 'never']).optional(),
    force_recreate: z.boolean().optional(),
    remove_orphans: z.boolean().optional(),
    on_drift: z
      .enum(['fail', 'overwrite', 'import'])
      .optional()
      .meta({
        description:
          'What to do with files that were edited on the host: `fail` (409, the default), `overwrite` writes those of ' +
          'the stack, `import` takes those of the host into the stack as a new revision if they load',
      }),
  })
  .meta({ id: 'DeployOrder', examples: [{ environment: 'prod', remove_orphans: true }] })

export const RollbackOrder = z
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
  })
  .meta({
    id: 'RollbackOrder',
    examples: [{ deployment_id: '019a0000-0000-7000-8000-000000000000' }],
  })

export const DeployQuery = z.object({
  wait: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(true)
    .meta({ description: 'With `false` the response is 202 at once; follow the deployment' }),
})

export const RestartOrder = z
  .strictObject({ services: z.array(z.string().min(1).max(128)).min(1).max(200).optional() })
  .meta({ id: 'RestartOrder', examples: [{ services: ['web'] }] })
