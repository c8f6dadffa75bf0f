import type { z } from 'zod'
import { plainOptions } from '../core/deploy/request.ts'
import type { DeployOptions } from '../core/records/deployment.ts'
import type { PlanBody } from './deployment-schema.ts'

/** Returns the options of a deploy that a request asks for, or asks to see the plan of. */
export function deployOptions(body: z.output<typeof PlanBody>): DeployOptions {
  const { timeout_seconds: timeoutSeconds, scale: replicas } = body
  return {
    ...plainOptions,
    pull: body.pull ?? null,
    ...(body.build && { build: body.build }),
    forceRecreate: body.force_recreate ?? false,
    removeOrphans: body.remove_orphans ?? false,
    services: body.services ?? [],
    withoutDependencies: body.dependencies === false,
    withoutStart: body.start === false,
    allResources: body.all_resources ?? false,
    ...(replicas ? { replicas } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  }
}
