import { requirePermissions } from '../access/grant.ts'
import { deploysStacks, reachOf } from '../access/reach.ts'
import { conflict, notFound } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Caller } from '../records/account.ts'
import type { Deployment, DeployOptions } from '../records/deployment.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import { loadFiles } from '../stacks/load-project.ts'
import { setNames } from '../stacks/shared-variables.ts'
import { type RunningDeployment, startDeployment } from './deploy.ts'
import type { DeploymentRequest, DeployPorts } from './request.ts'
import { plainOptions } from './request.ts'

export interface RollbackOptions extends Pick<DeploymentRequest, 'trail'> {
  deploymentId: string
  overwriteDrift: boolean
  /** Names of uses to accept; see `RefusedUse`. */
  acceptReferences?: string[] | undefined
}

/**
 * Deploys again what an earlier deployment deployed. Its compose file, `.env`, overlays and
 * environment become the stack's current ones, and its images are used. Services added since then
 * are removed.
 *
 * @throws 404 if there is no such deployment, 403 if the caller may not let the stack take its sets
 *   again, 409 if it deployed nothing or its images are gone, and what `startDeployment` throws
 */
export async function startRollback(
  stack: Stored<StackRecord>,
  { deploymentId, overwriteDrift, acceptReferences, trail }: RollbackOptions,
  caller: Caller,
  ports: DeployPorts,
): Promise<RunningDeployment> {
  const target = await ports.deployments.find(stack.id, deploymentId)
  if (!target) throw notFound(`stack ${stack.id}: it has no deployment ${deploymentId}`)
  const { files, environment, profiles, images } = target
  requireTakingAgain(stack, target, caller)
  const request: DeploymentRequest = {
    kind: 'rollback',
    stack,
    files,
    environment,
    profiles,
    options: {
      ...plainOptions,
      ...servicesOf(target),
      removeOrphans: true,
      overwriteDrift,
      rolledBackTo: target.id,
      ...(acceptReferences && { acceptReferences }),
      images,
    },
    reach: reachOf(caller),
    mayDeploy: deploysStacks(caller, ports),
    seesContainers: caller.permissions.has('containers:read'),
    trail,
  }
  if (!isWhole(target)) {
    // Report what the caller may not deploy before reporting what cannot be deployed.
    await loadFiles(stack, files, request, ports)
    throw conflict(
      `deployment ${target.id}: cannot roll back to a ${target.kind} with status ${target.status}`,
    )
  }
  return startDeployment(request, caller.account, ports)
}

/**
 * Checks that the caller may let the stack take the sets that it has left since: its next deploy
 * takes what they have then.
 *
 * @throws 403 without `stacks:secrets`, if there are such sets
 */
function requireTakingAgain(
  { files }: StackRecord,
  { id, files: { shared } }: Deployment,
  caller: Caller,
): void {
  const taken = new Set(setNames(files.shared))
  const left = setNames(shared).filter((name) => !taken.has(name))
  if (left.length === 0) return
  const subject = `deployment ${id}: letting the stack take the sets ${left.join(', ')} again`
  requirePermissions(caller, ['stacks:secrets'], subject)
}

const isWhole = ({ kind, status }: Deployment) => bringsUp(kind) && status === 'succeeded'

/**
 * Returns the services that a rollback brings up. A deploy of some services recorded the images of
 * all that were up then; others that its files have were not.
 */
function servicesOf({ options, images }: Deployment): Partial<DeployOptions> {
  if (options.services.length === 0) return {}
  return { services: Object.keys(images), withoutDependencies: true }
}
