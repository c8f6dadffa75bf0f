import type { Actor } from '../access/actor.ts'
import { deploysStacks, reachOf } from '../access/reach.ts'
import { scopePorts } from '../access/scope.ts'
import { startDeployment } from '../deploy/deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { isTransient, publicMessage } from '../errors.ts'
import { groupBy } from '../group-by.ts'
import { callHost } from '../hosts/call-host.ts'
import { ignoreError } from '../ignore-error.ts'
import type { Stored } from '../ports/collection.ts'
import type { StackRecord } from '../records/stack.ts'
import type { DeploymentUpdate, UpdatedImage } from '../records/stack-update.ts'
import { isClockTrusted } from '../retention/is-clock-trusted.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { backedUpNow } from '../updates/checkpoint-job.ts'
import { digestsOf } from '../updates/compare-image.ts'
import { isLeftOut } from '../updates/judge-policy.ts'
import { knownLooks, type ServiceUpdate, updatesOf } from '../updates/list-updates.ts'
import { nextUpdates } from '../updates/next-updates.ts'
import type { PolicyOf, ResolvedPolicy } from '../updates/policy-of.ts'
import { serviceImages } from '../updates/service-images.ts'
import { type StackPlan, withWaits } from '../updates/update-order.ts'
import { hostImages } from '../updates/used-tags.ts'
import { checkpointState, dropCheckpoint, startCheckpoint } from './make-checkpoint.ts'
import { readFaults } from './read-watched.ts'
import { failedRow, startRow } from './report-update.ts'
import { byDigest, retagNew } from './retag.ts'
import { reviewPolicy } from './review-policy.ts'
import { undoAuthorOf } from './undo-author.ts'
import type { ApplyPorts } from './update-ports.ts'
import { withReport, writeReports } from './write-reports.ts'

/**
 * Begins the first update of a host that is due. Does nothing while the host does not respond, nor
 * after the clock jumped: then every image looks old enough.
 */
export async function startNext(
  stacks: readonly Stored<StackRecord>[],
  policyOf: PolicyOf,
  ports: ApplyPorts,
): Promise<void> {
  const [{ hostId } = { hostId: '' }] = stacks
  const host = await ports.hosts.find(hostId)
  if (!host || !(await isClockTrusted(ports))) return
  const known = await knownLooks(ports)
  const found = await callHost(hostId, ports, hostImages)
  const plans: HostPlan[] = []
  for (const stack of inOrder(stacks)) {
    const updates = updatesOf(host, serviceImages([stack], found, policyOf), known)
    plans.push(await planOf(stack, policyOf(stack), updates, ports))
  }
  const backedUp = await backedUpNow(stacks, ports)
  const waiting = { isClockTrusted: true, backedUp, now: ports.clock.now() }
  const updates = withWaits(plans, waiting)
  const due = groupBy(updates.flatMap(dueOf), ({ service }) => service.stack)
  for (const { stack, actor } of plans) {
    const own = due.get(stack.id)
    if (!own || !actor) {
      await leaveCheckpoint(stack, ports)
      continue
    }
    const ready = await withCheckpoint(stack, actor, ports)
    if (ready === 'waits') return
    if (ready === 'ready' && (await start(stack, own, actor, ports))) return
  }
}

/** Those that were updated longest ago come first, so that none waits for ever. */
const inOrder = (stacks: readonly Stored<StackRecord>[]): Stored<StackRecord>[] =>
  stacks.toSorted(
    (one, other) => (one.update?.at ?? 0) - (other.update?.at ?? 0) || (one.id < other.id ? -1 : 1),
  )

const dueOf = ({ updates }: StackPlan<ServiceUpdate>) =>
  updates.filter(({ next }) => next.kind === 'due' && next.reason === null)

/** What is planned for a stack, and whose rights its updates have; undefined if none may begin. */
interface HostPlan extends StackPlan<ServiceUpdate> {
  stack: Stored<StackRecord>
  actor: Actor | undefined
}

/** Reviews the policy of a stack if that may matter, and returns what it plans. */
async function planOf(
  stack: Stored<StackRecord>,
  policy: ResolvedPolicy,
  updates: readonly ServiceUpdate[],
  ports: ApplyPorts,
): Promise<HostPlan> {
  const none: HostPlan = { stack, updates: [], actor: undefined }
  if (stack.openUpdate || policy.mode !== 'apply') return none
  const isNewer = updates.some(({ status }) => status.newer !== null)
  // Someone may have given the account its rights back, or taken the image.
  const isBlocked = policy.actsAs?.blocked !== null
  if (!isNewer && stack.update?.outcome === 'failed') await forgetFailure(stack, ports)
  if (!isNewer && !isBlocked) return none
  if (await callHost(stack.hostId, ports, (engine) => isLeftOut(stack, policy, engine))) return none
  const actor = await reviewPolicy(stack, policy, ports)
  if (!actor) return none
  const next = nextUpdates(stack, updates, { policy, blocked: null, now: ports.clock.now() })
  return { stack, updates: next, actor }
}

/**
 * Makes the backup that the policy wants before an update. `waits`: it runs. `later`: it could not
 * begin yet. `failed`: the update does not begin.
 */
async function withCheckpoint(
  stack: Stored<StackRecord>,
  actor: Actor,
  ports: ApplyPorts,
): Promise<'ready' | 'waits' | 'later' | 'failed'> {
  const jobId = stack.updatePolicy?.checkpoint
  if (!jobId) return 'ready'
  const state = await checkpointState(stack, ports)
  if (state.kind === 'made') return 'ready'
  if (state.kind === 'running') return 'waits'
  const begun =
    state.kind === 'failed'
      ? { problem: state.reason }
      : await startCheckpoint(stack, jobId, actor.account.username, ports)
  if (begun === 'begun') return 'waits'
  if (begun === 'later') return 'later'
  await recordFailure(stack, begun.problem, ports)
  return 'failed'
}

/** Forgets a checkpoint whose update does not begin now, and says so if it failed. */
async function leaveCheckpoint(stack: Stored<StackRecord>, ports: ApplyPorts): Promise<void> {
  const state = stack.checkpoint && (await checkpointState(stack, ports))
  if (!state || state.kind === 'running') return
  if (state.kind === 'failed') await recordFailure(stack, state.reason, ports)
  else await dropCheckpoint(stack, ports)
}

/** Begins an update. Returns whether it did. */
async function start(
  stack: Stored<StackRecord>,
  due: readonly ServiceUpdate[],
  actor: Actor,
  ports: ApplyPorts,
): Promise<boolean> {
  const images = due.flatMap(imageOf)
  const row = startRow(stack, images, actor.account, ports)
  const faultsBefore = { ...stack.checkpoint?.faultsBefore, ...(await readFaults(stack, ports)) }
  try {
    const { deployment, startRecorded } = await startDeployment(
      {
        kind: 'deploy',
        stack,
        files: stack.files,
        revision: stack.contentRevision,
        unchangedSince: stack.revision,
        environment: stack.environment,
        profiles: stack.profiles,
        reach: reachOf(actor),
        mayDeploy: deploysStacks(actor, scopePorts(ports, actor)),
        seesContainers: actor.permissions.has('containers:read'),
        options: {
          ...plainOptions,
          services: images.map(({ service }) => service),
          withoutDependencies: true,
          retag: retagNew(images),
          update: { images, row, faultsBefore, ...checkpointOf(stack, actor) },
        },
      },
      actor.account,
      ports,
    )
    if (deployment.steps.length === 0) {
      await recordFailure(stack, 'the deploy had nothing to change', ports)
      return false
    }
    await startRecorded()
    // It runs. What cannot be written now is when it is followed.
    await writeReports(stack.id, ports).catch(ignoreError('write the report of an update'))
    return true
  } catch (error) {
    // Such as another operation of the stack: the next pass tries again.
    if (isTransient(error)) return false
    await recordFailure(stack, publicMessage(error, 'the service failed'), ports)
    return false
  }
}

/** Returns the backup of which an update goes back with its data, by the rights of its account. */
function checkpointOf(
  { checkpoint, updatePolicy }: StackRecord,
  actor: Actor,
): Pick<DeploymentUpdate, 'checkpoint'> {
  if (!checkpoint || !updatePolicy?.checkpoint) return {}
  return { checkpoint: { runId: checkpoint.runId, by: undoAuthorOf(actor) } }
}

/** Returns the change of the image of a service. */
function imageOf({ service, status }: ServiceUpdate): UpdatedImage[] {
  const { reference, name, tag, used } = service
  const [running] = used ?? []
  if (!status.newer || !running || !tag) return []
  const [digest] = digestsOf(running.digests ?? [], tag)
  const before = digest === undefined ? running.id : byDigest(reference, digest)
  const { digest: newer } = status.newer
  return [{ service: service.service, reference, name: name.name, digest: newer, before }]
}

/** Records why an update could not begin, and reports it if it is not the same as before. */
async function recordFailure(
  { id, update, hostId }: Stored<StackRecord>,
  reason: string,
  ports: ApplyPorts,
): Promise<void> {
  const isNew = update?.outcome !== 'failed' || update.reason !== reason
  const report = isNew ? failedRow({ id, hostId }, null, reason, ports) : undefined
  const at = ports.clock.now()
  await changeStack(
    id,
    ({ openUpdate, unreported }) =>
      openUpdate
        ? {}
        : {
            checkpoint: undefined,
            update: { deploymentId: null, outcome: 'failed', reason, at },
            ...withReport({ unreported }, report),
          },
    ports,
  )
  await writeReports(id, ports)
}

/** Forgets a failure that no longer matters: nothing is newer. */
async function forgetFailure({ id }: StackRecord, ports: ApplyPorts): Promise<void> {
  await changeStack(
    id,
    ({ update }) => (update?.outcome === 'failed' ? { update: undefined } : {}),
    ports,
  )
}
