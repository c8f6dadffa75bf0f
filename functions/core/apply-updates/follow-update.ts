import { isPassing, type Reason } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Stored } from '../ports/collection.ts'
import type { NewAuditRow } from '../records/audit-row.ts'
import type { Deployment } from '../records/deployment.ts'
import type { HeldBackImage } from '../records/held-back-image.ts'
import type { StackRecord } from '../records/stack.ts'
import type { FaultsBefore, OpenUpdate, UpdatedImage } from '../records/stack-update.ts'
import { readPolicies } from '../updates/policy-of.ts'
import { judgeWatch, type WatchVerdict, watchTime } from '../updates/watch-update.ts'
import { readLastLines, readWatched } from './read-watched.ts'
import { type Findings, type Judgement, recordOutcome } from './record-outcome.ts'
import { badRow, failedRow } from './report-update.ts'
import { takeBack } from './take-back.ts'
import type { ApplyPorts } from './update-ports.ts'
import { writeReports } from './write-reports.ts'

/**
 * Goes on with the update of a stack that is in progress: judges it once it is known how it went,
 * and takes it back if it was bad. What was decided is in the record of the stack, so that any
 * process can go on. Returns whether other updates of the host wait for it.
 */
export async function followUpdate(
  stack: Stored<StackRecord>,
  ports: ApplyPorts,
): Promise<boolean> {
  const { openUpdate, update, unreported } = stack
  if (unreported) await writeReports(stack.id, ports)
  if (!openUpdate) return false
  const { deploymentId } = openUpdate
  if (update?.deploymentId === deploymentId && update.rollback) {
    await takeBack(stack, openUpdate, update.rollback, ports)
    return true
  }
  const deployment = await ports.deployments.find(stack.id, deploymentId)
  if (deployment?.status === 'running') return true
  // Before containers are read: a pause in between must not count as watched.
  const passed = ports.reminders.lasted(`update ${deploymentId}`)
  const judged = deployment
    ? await judge(stack, openUpdate, deployment, passed, ports)
    : outcome('unknown', 'its deployment is no longer recorded')
  if ('othersWait' in judged) return judged.othersWait
  const held = deployment ? await heldImages(stack, deployment, judged, ports) : []
  const report = reportOf(stack, deployment, { ...judged, held }, ports)
  await recordOutcome(stack.id, openUpdate, judged, { held, report }, ports)
  await writeReports(stack.id, ports)
  return true
}

/** Returns the report of how an update went; undefined if that needs none. */
function reportOf(
  stack: StackRecord,
  deployment: Deployment | undefined,
  { outcome, service, reason, held }: Judgement & Pick<Findings, 'held'>,
  ports: ApplyPorts,
): NewAuditRow | undefined {
  if (!deployment) return undefined
  if (outcome === 'bad') return badRow(stack, deployment, { service, reason, held }, ports)
  return outcome === 'failed' ? failedRow(stack, deployment.id, reason, ports) : undefined
}

const outcome = (kind: Judgement['outcome'], reason: string | null): Judgement => ({
  outcome: kind,
  reason,
  service: null,
  isHeldBack: false,
})

type BadVerdict = Extract<WatchVerdict, { kind: 'bad' }>

/** It is not known yet how an update went. */
type Watched = Pick<Extract<WatchVerdict, { kind: 'open' }>, 'othersWait'>

/** Judges an update whose deployment has ended, if that is possible. */
async function judge(
  stack: StackRecord,
  openUpdate: OpenUpdate,
  deployment: Deployment,
  passed: number,
  ports: ApplyPorts,
): Promise<Judgement | Watched> {
  if (deployment.status !== 'succeeded') return judgeFailed(stack, openUpdate, deployment, ports)
  if (!openUpdate.applied) return outcome('failed', 'the deploy changed no container')
  const { watchMinutes } = (await readPolicies(ports))(stack)
  const containers = await readWatched(stack, openUpdate.services, ports)
  if (containers.length === 0) {
    if (passed < watchTime([], watchMinutes)) return { othersWait: true }
    return outcome('unknown', 'its containers were stopped or removed')
  }
  const verdict = judgeWatch(containers, {
    passed,
    minutes: watchMinutes,
    faultsBefore: faultsBefore(deployment),
  })
  if (verdict.kind === 'open') return verdict
  if (verdict.kind === 'good') return outcome('good', null)
  if (verdict.kind === 'unknown') return outcome('unknown', verdict.reason)
  return badContainer(verdict)
}

const faultsBefore = ({ options }: Deployment): FaultsBefore => options.update?.faultsBefore ?? {}

const badContainer = ({ service, reason }: BadVerdict): Judgement => ({
  outcome: 'bad',
  reason,
  service,
  isHeldBack: true,
})

/**
 * Judges an update whose deployment failed. If it changed containers, the stack is half updated and
 * goes back. Its images are held back unless something else was to blame, such as a host that went
 * away.
 */
async function judgeFailed(
  stack: StackRecord,
  { applied, services }: OpenUpdate,
  deployment: Deployment,
  ports: ApplyPorts,
): Promise<Judgement> {
  const { id, status, error, reason } = deployment
  const text = error ?? `its deployment was ${status}`
  const wasCancelled = (await ports.deployments.findCancelRequest(stack.id, id)) !== undefined
  const isOthers = status === 'interrupted' || (reason !== undefined && isElsewhere(reason))
  if (applied && isOthers && !wasCancelled) {
    const bad = await findBad(stack, services, deployment, ports)
    if (bad) return badContainer(bad)
  }
  const isHeldBack = wasCancelled || (applied === true && !isOthers)
  return { ...outcome(applied ? 'bad' : 'failed', text), isHeldBack }
}

/**
 * Returns a container that is bad after a deployment that failed for a reason that passes. Services
 * that share the network of one that is restarted again and again cannot start: the Engine then
 * says to wait. Without this, the same image would be taken again and again.
 */
async function findBad(
  stack: StackRecord,
  services: readonly string[],
  deployment: Deployment,
  ports: ApplyPorts,
): Promise<BadVerdict | undefined> {
  const containers = await readWatched(stack, services, ports).catch(
    ignoreFailure('read the containers of an update that failed'),
  )
  const watch = { passed: 0, minutes: undefined, faultsBefore: faultsBefore(deployment) }
  const verdict = containers && judgeWatch(containers, watch)
  return verdict?.kind === 'bad' ? verdict : undefined
}

/** Returns whether the reason of a failure says nothing of an image. */
const isElsewhere = (reason: Reason): boolean => reason === 'host-offline' || isPassing(reason)

/**
 * Returns the images to hold back: that of the service that was bad, or all if none of the update's
 * images is its.
 */
async function heldImages(
  stack: StackRecord,
  { id, options }: Deployment,
  { isHeldBack, service, reason }: Judgement,
  ports: ApplyPorts,
): Promise<HeldBackImage[]> {
  if (!isHeldBack) return []
  const images: UpdatedImage[] = options.update?.images ?? []
  const own = images.filter((image) => image.service === service)
  const log = await readLastLines(stack, service, ports)
  const at = ports.clock.now()
  return (own.length > 0 ? own : images).map((image) => ({
    name: image.name,
    digest: image.digest,
    service: image.service,
    before: image.before,
    reason: reason ?? 'it failed',
    log,
    at,
    deploymentId: id,
  }))
}
