import { imageName } from '../../compose/reference/image-name.ts'
import { collectKeptVolumes } from '../../compose/used-resources.ts'
import { failureReason, publicMessage, type Reason } from '../errors.ts'
import { ignoreError } from '../ignore-error.ts'
import { changeNames } from '../images/name-changes.ts'
import { type HeldLease, LostLease } from '../leases/lease-renewal.ts'
import { logFailure } from '../log-failure.ts'
import type { Deployment } from '../records/deployment.ts'
import { bringsUp, rulesOf } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import { revisionDeployed } from '../stacks/deployed-revision.ts'
import { auditEnd, writeEndRow } from './audit-end.ts'
import { deleteStack } from './delete-stack.ts'
import { deployedImages } from './deployed-images.ts'
import type { PreparedDeployment } from './prepared.ts'
import type { RecordedDeployment } from './record.ts'
import type { StackRecorder } from './record-stack.ts'
import { type DeployPorts, imageUser } from './request.ts'
import type { Execution } from './run-steps.ts'
import { lastDeploymentOf } from './stack-changes.ts'
import { withoutFailedStops } from './verb-changes.ts'
import { warningsOf } from './warnings.ts'

/** A deployment that has ended. */
export interface DeploymentResult {
  deployment: Deployment
  /** The stack as recorded at the end; undefined if that failed or the stack was deleted. */
  stack: StackRecord | undefined
  /** Why it failed; undefined if it succeeded or that is unknown. */
  reason?: Reason | undefined
}

/** The time for deleting a stack: its files, its record and its deployments. Milliseconds. */
const deletionTime = 5_000
/** The time for writing the audit row of the end. Milliseconds. */
const auditTime = 5_000

/**
 * Records how a deployment ended. Durable after it: the names of images, the stack's record, then
 * the deployment with its final status; or, after a removal, nothing of the stack. The final status
 * is saved after these: while the deployment is recorded as running, `recoverDeployments` can
 * complete what is missing. Never throws.
 */
export async function finish(
  recorded: RecordedDeployment,
  execution: Execution,
  stackRecord: StackRecorder,
  held: HeldLease,
  ports: DeployPorts,
): Promise<DeploymentResult> {
  const { deployment, prepared } = recorded
  const { request } = prepared
  const { status, error, reason, steps } = execution
  const finishedAt = ports.clock.now()
  const warnings = warningsOf(deployment.warnings ?? [], prepared.warnings, execution.warnings)
  const { plannedImages: _, ...begun } = deployment
  const ended = { ...begun, status, error, reason, steps, finishedAt, warnings }
  if (execution.isLeft) {
    await stackRecord.flush()
    return resultAfterRecovery(deployment, ports)
  }
  try {
    if (rulesOf(request).takesDown === 'record' && status === 'succeeded') {
      await stackRecord.flush()
      await held.ensure(deletionTime + (ended.unaudited ? auditTime : 0))
      const by = { id: deployment.accountId ?? '', name: deployment.by }
      await deleteStack(request.stack, by, ports)
      await writeEndRow(ended, ports)
      await ports.deployments.removeByStack(deployment.stack)
      return { deployment: ended, stack: undefined }
    }
    if (status === 'succeeded') await changeNames(prepared.imageNames, imageUser(request), ports)
    const images = await deployedImages(prepared, steps)
    const whole = { ...ended, images }
    const stack = await stackRecord.change((current) => changesOnEnd(current, whole, prepared))
    if (!(await ports.deployments.save(whole))) return resultAfterRecovery(deployment, ports)
    if (whole.unaudited) {
      await held.ensure(auditTime)
      await auditEnd(whole, ports)
    }
    return { deployment: whole, stack, reason }
  } catch (cause) {
    if (cause instanceof LostLease) return resultAfterRecovery(deployment, ports)
    const failure = { deployment: deployment.id, error: cause }
    logFailure(ports.log, 'a deployment could not be recorded', failure)
    const text = publicMessage(cause, 'the service failed to record the deployment')
    const why = { error: text, reason: failureReason(cause) }
    return {
      deployment: { ...deployment, status: 'failed', ...why },
      stack: undefined,
      reason: why.reason,
    }
  }
}

/** Returns the recorded state of a deployment that lost its lease or is left: it is recovered. */
async function resultAfterRecovery(
  deployment: Deployment,
  ports: DeployPorts,
): Promise<DeploymentResult> {
  ports.log.warn('a deployment is left to recovery', { deployment: deployment.id })
  const known = await ports.deployments
    .find(deployment.stack, deployment.id)
    .catch(ignoreError('find a deployment that lost its lease'))
  const interrupted = { status: 'interrupted' as const, error: new LostLease().message }
  const ended = known ?? { ...deployment, ...interrupted, finishedAt: ports.clock.now() }
  return { deployment: ended, stack: undefined, reason: 'lease-held' }
}

/** Returns the changes of the stack's record when a deployment ends. */
function changesOnEnd(
  stack: StackRecord,
  ended: Deployment,
  prepared: PreparedDeployment,
): Partial<StackRecord> {
  const isSuccess = ended.status === 'succeeded'
  const { takesDown, verb } = rulesOf(ended)
  const isTakenDown = takesDown !== null
  return {
    last: lastDeploymentOf(ended, stack),
    keptVolumes: keptVolumesAfter(stack, ended, prepared),
    ...(verb !== null && !isSuccess ? { verbs: withoutFailedStops(stack, ended) } : {}),
    ...(takesDown === 'resources' && isSuccess ? changesOnDown(stack, ended) : {}),
    deployed: isTakenDown && isSuccess ? false : stack.deployed,
    // No container is left that can write, and the next deploy finds existing links.
    writable: isTakenDown && isSuccess ? [] : stack.writable,
    ...(bringsUp(ended.kind) && isSuccess ? changesOnUp(stack, ended) : {}),
  }
}

/**
 * Returns the changes after a deploy that succeeded. A deploy of only some services does not change
 * the deployed revision.
 */
const changesOnUp = (stack: StackRecord, ended: Deployment): Partial<StackRecord> => ({
  deployedAt: ended.finishedAt,
  ...(ended.options.services.length === 0
    ? { deployedRevision: revisionDeployed(stack, ended) }
    : {}),
})

/** Returns the changes after a stack was taken down: it forgets removed images and stops. */
function changesOnDown({ images }: StackRecord, { steps }: Deployment): Partial<StackRecord> {
  const removed = new Set(
    steps.flatMap(({ kind, name, status }) =>
      kind === 'image' && status === 'done' ? imageName(name).name : [],
    ),
  )
  const left = Object.entries(images ?? {}).filter(([name]) => !removed.has(name))
  const gone = { down: true, verbs: {}, deployedRevision: null }
  return { ...gone, ...(images ? { images: Object.fromEntries(left) } : {}) }
}

/**
 * Returns the anonymous volumes to record. Those of containers that a stop removed are kept for the
 * next deploy, which takes them over.
 */
function keptVolumesAfter(
  stack: StackRecord,
  deployment: Deployment,
  { snapshot, project }: PreparedDeployment,
) {
  const { status, options } = deployment
  const { from, takesDown } = rulesOf(deployment)
  if (takesDown === 'resources' && options.volumes)
    return status === 'succeeded' ? {} : stack.keptVolumes
  if (takesDown === 'resources' || takesDown === 'containers')
    return collectKeptVolumes(stack.keptVolumes, snapshot)
  if (from !== 'project' || status !== 'succeeded') return stack.keptVolumes
  const leftOut = Object.keys(project?.left_out ?? {})
  const isLeft = (key: string) => leftOut.some((name) => key.startsWith(`${name}/`))
  return Object.fromEntries(Object.entries(stack.keptVolumes).filter(([key]) => isLeft(key)))
}
