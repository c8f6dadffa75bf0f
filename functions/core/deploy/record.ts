import { isDeepStrictEqual } from 'node:util'
import { ownEntry } from '../../compose/lookup.ts'
import { collectReferences } from '../../compose/used-resources.ts'
import { claimAll } from '../owners/claim-owner.ts'
import type { Account } from '../records/account.ts'
import type { Deployment, DeployOptions } from '../records/deployment.ts'
import { bringsUp, kindRules, rulesOf } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import { deployedRevisionOf } from '../stacks/deployed-revision.ts'
import { takenSource } from '../stacks/taken-source.ts'
import { type HeldDeployment, releaseOnError } from './acquire.ts'
import { deployedImages } from './deployed-images.ts'
import { firstPlan, type PreparedDeployment } from './prepared.ts'
import type { DeploymentRequest, DeployPorts } from './request.ts'
import { pending } from './run-steps.ts'
import { warningsOf } from './warnings.ts'

/** A deployment whose record exists, and the lease under which it runs. */
export interface RecordedDeployment extends HeldDeployment {
  deployment: Deployment
}

/** Fields of a new deployment's record that do not come from its request. */
export interface NewDeployment {
  id: string
  /** The account that started it. */
  by: Pick<Account, 'id' | 'username'>
  /** The stacks that the user may deploy, as far as preparing asked. */
  granted: ReadonlySet<string>
}

/**
 * Creates the record of a deployment. Durable after it: a deployment with the status `running` and
 * its steps. If this process dies from here on, `recoverDeployments` finds it.
 */
export async function record(
  { prepared, lease }: HeldDeployment,
  created: NewDeployment,
  ports: DeployPorts,
): Promise<RecordedDeployment> {
  const deployment = { ...deploymentOf(prepared, created, ports), fence: lease.fence }
  await releaseOnError(lease, ports, () => ports.deployments.create(deployment))
  return { deployment, prepared, lease }
}

/**
 * Returns whether a deploy has nothing to do: it has no steps, and the stack's record already says
 * what it would.
 */
export function isUpToDate(prepared: PreparedDeployment) {
  const { request, plan, prefetch, project, images, expected } = prepared
  const { stack, files, environment, options, profiles = [] } = request
  const isDeploy = rulesOf(request).revision === 'newest'
  if (!isDeploy || !project || plan.steps.length + prefetch.steps.length > 0) return false
  return (
    stack.deployed &&
    stack.last?.status === 'succeeded' &&
    stack.deployedAt !== null &&
    stack.environment === environment &&
    Object.keys(stack.keptVolumes).length === 0 &&
    (options.services.length > 0 || deployedRevisionOf(stack) === stack.contentRevision) &&
    JSON.stringify(stack.written) === JSON.stringify(files) &&
    (options.services.length > 0 || isDeepStrictEqual(stack.files.shared, files.shared)) &&
    JSON.stringify(stack.services) === JSON.stringify(expected) &&
    !Object.keys(stack.verbs ?? {}).some((name) => Object.hasOwn(project.services, name)) &&
    JSON.stringify(stack.profiles ?? []) === JSON.stringify(profiles) &&
    sameImages(images, stack.images)
  )
}

function sameImages(decided: Record<string, string> | null, recorded: StackRecord['images']) {
  if (!decided || !recorded) return false
  const names = Object.keys(decided)
  return (
    names.length === Object.keys(recorded).length &&
    names.every((name) => decided[name] === ownEntry(recorded, name))
  )
}

/**
 * Records a deploy that has nothing to do, without a lease. Durable after it: a deployment with the
 * status `succeeded` and no steps. The stack's record stays as it is.
 */
export async function recordUpToDate(
  prepared: PreparedDeployment,
  created: NewDeployment,
  ports: DeployPorts,
): Promise<Deployment> {
  const { request } = prepared
  await claimAll(await prepared.checkOwners(), request.stack, ports)
  const { unaudited: _, ...begun } = deploymentOf(prepared, created, ports)
  const deployment: Deployment = {
    ...begun,
    status: 'succeeded',
    finishedAt: begun.startedAt,
    images: await deployedImages(prepared, []),
    warnings: warningsOf(prepared.warnings, prepared.plan.warnings),
  }
  await ports.deployments.create(deployment)
  return deployment
}

function deploymentOf(
  prepared: PreparedDeployment,
  { id, by, granted }: NewDeployment,
  ports: DeployPorts,
): Deployment {
  const { kind, stack, environment, profiles, files, options, reach, enterer, trail } =
    prepared.request
  return {
    id,
    kind,
    stack: stack.id,
    hostId: stack.hostId,
    environment,
    ...(profiles && profiles.length > 0 ? { profiles: [...profiles] } : {}),
    contentRevision: stack.contentRevision + (kindRules[kind].revision === 'restored' ? 1 : 0),
    files,
    options: { ...options, ...takenBy(prepared.request) },
    status: 'running',
    error: null,
    ...(trail && { unaudited: trail }),
    startedAt: ports.clock.now(),
    finishedAt: null,
    by: by.username,
    accountId: by.id,
    reach,
    ...(enterer && { entererReach: enterer.reach }),
    mayUse: [...granted],
    ...affectedBy(prepared),
    steps: firstPlan(prepared).steps.map(pending),
    images: {},
    ...plannedImages(prepared),
    warnings: warningsOf(prepared.warnings),
  }
}

/** Returns what the newest files were taken from, if a user deploys the whole stack with them. */
function takenBy(request: DeploymentRequest): Pick<DeployOptions, 'taken'> {
  const { kind, stack, files, currentSets, options } = request
  const { services, source, update, byHook } = options
  const isNewest = kindRules[kind].revision === 'newest'
  const hasNewest = currentSets || files === stack.files
  const isWhole = isNewest && services.length === 0 && hasNewest
  const isByUser = !source && !update && !byHook
  const taken = isWhole && isByUser ? takenSource(stack, 'user') : undefined
  return taken ? { taken } : {}
}

/** A prune leaves these, although no container uses them yet. */
function plannedImages({ request, project }: PreparedDeployment) {
  if (!project || !bringsUp(request.kind)) return {}
  return { plannedImages: collectReferences(project).images }
}

/** Returns the services that a deployment changes, unless it names none. */
function affectedBy({ request, plan, project }: PreparedDeployment): Pick<Deployment, 'affected'> {
  const named = request.options.services
  if (named.length === 0) return {}
  const others = project?.left_out
    ? Object.keys(project.services)
    : plan.steps.flatMap(({ service }) => service ?? [])
  return { affected: [...new Set([...named, ...others])] }
}
