import type { Stored } from '../ports/collection.ts'
import type { Deployment } from '../records/deployment.ts'
import { type HeldBackImage, heldBackMax } from '../records/held-back-image.ts'
import type { StackRecord } from '../records/stack.ts'
import type { DeploymentUpdate, StackUpdate } from '../records/stack-update.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { judgeWatch } from '../updates/watch-update.ts'
import { readLastLines, readWatched } from './read-watched.ts'
import { reportBad, reportFailed } from './report-update.ts'
import { takeBack } from './take-back.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Goes on with an open update of a stack: judges it once it is known how it went, and takes it back
 * if it was bad. What was decided is in the record of the stack, so that any process can go on.
 */
export async function followUpdate(stack: Stored<StackRecord>, ports: ApplyPorts): Promise<void> {
  if (stack.update?.rollback?.state === 'due') return takeBack(stack, ports)
  const deployment = await ports.deployments.find(stack.id, stack.last?.deploymentId ?? '')
  const update = deployment?.options.update
  if (!deployment || !update || deployment.status === 'running') return
  const judged = await judge(stack, deployment, ports)
  if (!judged) return
  if (judged.outcome !== 'bad') {
    await settle(stack, { ...judged, deploymentId: deployment.id }, [], ports)
    if (judged.outcome === 'failed') await reportFailed(stack, deployment, judged.reason, ports)
    return
  }
  const reason = judged.reason ?? 'it failed'
  const log = await readLastLines(stack, judged.service, ports)
  const held = heldImages(deployment, update, { ...judged, reason, log, at: ports.clock.now() })
  const rollback = { state: 'due' as const, attempts: 0, nextAt: 0, error: null }
  const bad = { deploymentId: deployment.id, outcome: 'bad' as const, reason, rollback }
  const isFirst = await settle(stack, bad, held, ports)
  if (isFirst) await reportBad(stack, deployment, { service: judged.service, reason, held }, ports)
}

/** How an update went: `service` is the one that was bad, null if that is not known. */
interface Judgement extends Pick<StackUpdate, 'outcome' | 'reason'> {
  service: string | null
}

const judgement = (outcome: StackUpdate['outcome'], reason: string | null): Judgement => ({
  outcome,
  reason,
  service: null,
})

/** Judges an update whose deployment has ended; undefined while that is not possible. */
async function judge(
  stack: StackRecord,
  deployment: Deployment,
  ports: ApplyPorts,
): Promise<Judgement | undefined> {
  if (deployment.status !== 'succeeded') {
    const reason = deployment.error ?? `its deployment was ${deployment.status}`
    return judgement(stack.last?.applied ? 'bad' : 'failed', reason)
  }
  const containers = await readWatched(stack, deployment, ports)
  if (containers.length === 0) return judgement('unknown', 'its containers were stopped or removed')
  const passed = ports.reminders.lasted(`update ${deployment.id}`)
  const verdict = judgeWatch(containers, passed)
  switch (verdict.kind) {
    case 'open':
      return undefined
    case 'good':
      return judgement('good', null)
    case 'bad':
      return { outcome: 'bad', reason: verdict.reason, service: verdict.service }
  }
}

/**
 * Returns the images to hold back: that of the service that was bad, or all if none of the update's
 * images is its.
 */
function heldImages(
  { id }: Deployment,
  { images }: DeploymentUpdate,
  bad: Pick<HeldBackImage, 'reason' | 'log' | 'at'> & { service: string | null },
): HeldBackImage[] {
  const own = images.filter(({ service }) => service === bad.service)
  const { reason, log, at } = bad
  return (own.length > 0 ? own : images).map(({ name, digest, service, before }) => ({
    name,
    digest,
    service,
    before,
    reason,
    log,
    at,
    deploymentId: id,
  }))
}

/** Records how an update went, once. Returns whether this call did. */
async function settle(
  { id }: StackRecord,
  update: Omit<StackUpdate, 'at'> & { deploymentId: string },
  held: readonly HeldBackImage[],
  ports: ApplyPorts,
): Promise<boolean> {
  const at = ports.clock.now()
  let isFirst = false
  await changeStack(
    id,
    (stack) => {
      isFirst =
        stack.last?.deploymentId === update.deploymentId &&
        stack.update?.deploymentId !== update.deploymentId
      if (!isFirst) return {}
      const { deploymentId, outcome, reason, rollback } = update
      return {
        update: { deploymentId, outcome, reason, at, ...(rollback && { rollback }) },
        ...(held.length > 0 && { heldBack: withHeld(stack.heldBack ?? [], held) }),
      }
    },
    ports,
  )
  return isFirst
}

function withHeld(before: readonly HeldBackImage[], held: readonly HeldBackImage[]) {
  const isAgain = (one: HeldBackImage) => held.some(({ digest }) => digest === one.digest)
  return [...held, ...before.filter((one) => !isAgain(one))].slice(0, heldBackMax)
}
