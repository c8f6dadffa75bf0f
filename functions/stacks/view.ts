import type { z } from 'zod'
import type { StackCondition } from '../core/stacks/condition.ts'
import type { Deployment as DeploymentRecord, StackRecord } from '../core/stacks/stack.ts'
import type { Deployment } from './deployment-schema.ts'
import type { Stack } from './schema.ts'

const time = (milliseconds: number) => new Date(milliseconds).toISOString()
const timeOrNull = (milliseconds: number | null) =>
  milliseconds === null ? null : time(milliseconds)

/** Returns a stack in the API's form. */
export function stackView(stack: StackRecord, condition: StackCondition): z.input<typeof Stack> {
  return {
    name: stack.id,
    host: stack.hostId,
    directory: stack.directory,
    status: condition.status,
    environment: stack.environment,
    services: condition.services,
    revision: stack.contentRevision,
    created_at: time(stack.createdAt),
    updated_at: time(stack.updatedAt),
    deployed_at: timeOrNull(stack.deployedAt),
  }
}

/** Returns a deployment in the API's form. */
export function deploymentView(deployment: DeploymentRecord): z.input<typeof Deployment> {
  return {
    id: deployment.id,
    stack: deployment.stack,
    kind: deployment.kind,
    host: deployment.hostId,
    environment: deployment.environment,
    revision: deployment.contentRevision,
    status: deployment.status,
    error: deployment.error,
    started_at: time(deployment.startedAt),
    finished_at: timeOrNull(deployment.finishedAt),
    by: deployment.by,
    steps: deployment.steps,
    images: deployment.images,
    warnings: deployment.warnings ?? [],
  }
}
