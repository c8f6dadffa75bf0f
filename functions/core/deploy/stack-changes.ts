import { recordWritable } from '../../compose/policy/writable-paths.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import type { FetchedImage } from '../images/fetch-image.ts'
import type { Deployment } from '../records/deployment.ts'
import {
  appliesProject,
  bringsUp,
  judgesStack,
  kindRules,
  rulesOf,
} from '../records/deployment-kinds.ts'
import {
  hasFailed,
  type LastDeployment,
  type StackRecord,
  wasEverDeployed,
} from '../records/stack.ts'
import type { ServiceVerb } from '../records/stack-state.ts'
import { causeOf } from '../records/stack-update.ts'
import { newRevision } from '../stacks/new-revision.ts'
import { changedPaths } from './host-changes.ts'
import type { PreparedDeployment } from './prepared.ts'
import { writtenBy } from './refuse-links.ts'
import { type BuildSource, buildOf } from './stale-builds.ts'
import { updateOnApply, updateOnStart } from './update-changes.ts'
import { verbsAfter, verbsAfterApply } from './verb-changes.ts'

/**
 * Returns the changes of the stack's record when a deployment begins: `last`; for a stop or removal
 * also `verbs`; for a deploy also `begun`, `recordsOwners` with the first, the decided `images`,
 * and the paths that containers can write. The record still describes the containers:
 * `changesOnApply` follows before the first step that changes them.
 */
export function changesOnStart(
  stack: StackRecord,
  deployment: Deployment,
  prepared: PreparedDeployment,
): Partial<StackRecord> {
  const { id, kind, startedAt, by } = deployment
  const { project, images } = prepared
  const last = { ...lastDeploymentOf(deployment, stack), applied: isApplied(stack, id) }
  // Recorded at the start, because a stop that fails has stopped some of them.
  const { takesDown, verb } = rulesOf(deployment)
  if (takesDown !== null) {
    const verbs = wasEverDeployed(stack) ? { verbs: stopOf(stack, by, startedAt) } : {}
    return { last, ...verbs, ...updateOnStart(stack, deployment) }
  }
  if (verb !== null) {
    const present = new Set(prepared.snapshot.containers.map(({ service }) => service))
    return { last, verbs: verbsAfter(stack, deployment, present) }
  }
  if (!appliesProject(kind) || !project) return { last }
  return {
    last,
    ...updateOnStart(stack, deployment),
    begun: true,
    ...(wasEverDeployed(stack) ? {} : { recordsOwners: true }),
    ...(images ? { images, ...keptBuilds(stack, images) } : {}),
    writable: recordWritable(stack.writable, project, writtenBy(prepared.snapshot.containers)),
  }
}

/** Returns the builds of images that the stack still has. */
function keptBuilds({ builds }: StackRecord, images: Record<string, string>) {
  if (!builds) return {}
  const kept = Object.entries(builds).filter(([name]) => Object.hasOwn(images, name))
  return { builds: Object.fromEntries(kept) }
}

/** Returns the deployment as the stack's record has it. */
export function lastDeploymentOf(
  deployment: Deployment,
  { last }: Pick<StackRecord, 'last'>,
): LastDeployment {
  const { id, kind, status, error, finishedAt, affected, options } = deployment
  const cause = causeOf(options.update)
  return {
    deploymentId: id,
    kind,
    status,
    error: error === null ? null : error.slice(0, errorMax),
    finishedAt,
    ...(affected && { affected }),
    ...(cause && { cause }),
    ...(isRolledBack(deployment, last) && { isRolledBack: true }),
    // How an update went is recorded beside it; see `StackUpdate`.
    ...(judgesStack(deployment) && !cause ? {} : { failedBefore: hasFailed(last) }),
  }
}

/** A rollback lasts until something is deployed. */
const isRolledBack = ({ kind }: Deployment, last: StackRecord['last']): boolean =>
  kindRules[kind].revision === 'restored' || (!bringsUp(kind) && last?.isRolledBack === true)

/** Characters of a deployment's error in the record of its stack. */
const errorMax = 500

const isApplied = ({ last }: StackRecord, id: string): boolean =>
  last?.deploymentId === id && last.applied === true

function stopOf({ services }: StackRecord, by: string, at: number) {
  const verb: ServiceVerb = { verb: 'stop', by, at }
  return Object.fromEntries(Object.keys(services).map((name) => [name, verb]))
}

/**
 * Returns the changes of the stack's record when a deployment begins to change containers: what is
 * expected of its services, `verbs`, `last.applied` and, for a rollback, the revision. If it fails
 * earlier, for example in a pull, the record keeps describing the earlier deployment.
 */
export function changesOnApply(
  stack: StackRecord,
  deployment: Deployment,
  { request, project, expected, changes }: PreparedDeployment,
): Partial<StackRecord> {
  const { id, kind, profiles } = deployment
  if (!appliesProject(kind) || !project || !expected || isApplied(stack, id)) return {}
  return {
    deployed: true,
    down: false,
    environment: request.environment,
    profiles: profiles ?? [],
    services: expected,
    verbs: verbsAfterApply(stack, deployment, Object.keys(project.services)),
    last: { ...lastDeploymentOf(deployment, stack), applied: true },
    ...(kindRules[kind].revision === 'restored'
      ? restoredRevision(stack, deployment)
      : takenVariables(stack, deployment, { changes })),
    ...updateOnApply(stack, deployment),
  }
}

/**
 * Returns the changes by which the record has the variables that a deploy of the whole stack took
 * from sets. Without them, the stack would still say that its sets changed.
 */
function takenVariables(
  { files, written, contentRevision }: StackRecord,
  { kind, options, contentRevision: deployed, files: { shared } }: Deployment,
  { changes }: Pick<PreparedDeployment, 'changes'>,
): Partial<StackRecord> {
  const isWhole = kindRules[kind].revision === 'newest' && options.services.length === 0
  // A newer revision was saved since, which took its own.
  if (!isWhole || deployed !== contentRevision) return {}
  if (!shared && !written?.shared) return {}
  const isWritten = changes !== null && changedPaths(changes).length === 0
  return {
    ...(shared && files.shared && { files: { ...files, shared } }),
    // No file differs, so that no step that writes files records it.
    ...(written && changes && isWritten && { written: changes.written }),
  }
}

/**
 * Returns the changes that make the files of an earlier deployment the newest revision of the
 * stack. What it took from its source is not deployed any more.
 */
function restoredRevision(
  stack: StackRecord,
  { files, startedAt }: Deployment,
): Partial<StackRecord> {
  const { source } = stack
  return {
    ...newRevision(stack, files),
    updatedAt: startedAt,
    ...(source && { source: { ...source, deploys: null, begun: undefined, problem: null } }),
  }
}

/**
 * The maximum number of accepted base images of other stacks that are recorded; the newest stay.
 */
const basesMax = 100

/**
 * Returns the changes of the stack's record when an image was pulled or built.
 *
 * @param source what it was built from; undefined if it was pulled
 */
export function changesOnFetch(
  { images, builds, acceptedBases = [] }: StackRecord,
  reference: string,
  { id, foreignBases }: FetchedImage,
  source: BuildSource | undefined,
): Partial<StackRecord> {
  const bases = [...new Set([...acceptedBases, ...foreignBases])].slice(-basesMax)
  const { name } = imageName(reference)
  return {
    ...(id === undefined ? {} : { images: { ...images, [name]: id } }),
    ...(id === undefined || !source ? {} : { builds: { ...builds, [name]: buildOf(id, source) } }),
    ...(foreignBases.length > 0 ? { acceptedBases: bases } : {}),
  }
}
