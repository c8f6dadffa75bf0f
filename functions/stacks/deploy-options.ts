import type { z } from 'zod'
import { plainOptions } from '../core/deploy/request.ts'
import type { DeployOptions } from '../core/records/deployment.ts'
import type { DeployBody } from './deployment-schema.ts'

/** Returns the options of a deploy that a request asks for, or asks to see the plan of. */
export function deployOptions(body: z.output<typeof DeployBody>): DeployOptions {
  const { timeout_seconds: timeoutSeconds, scale: replicas, accept_references: accepted } = body
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
    ...(body.take_over && { takeOver: true }),
    ...(replicas ? { replicas } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    overwriteDrift: body.on_drift === 'overwrite',
    acceptImages: body.on_drift === 'import',
    ...(accepted && { acceptReferences: accepted }),
  }
}
