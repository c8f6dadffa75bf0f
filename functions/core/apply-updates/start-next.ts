import type { Actor } from '../access/actor.ts'
import { deploysStacks, reachOf } from '../access/reach.ts'
import { scopePorts } from '../access/scope.ts'
import { startDeployment } from '../deploy/deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { isTransient, publicMessage } from '../errors.ts'
import { callHost } from '../hosts/call-host.ts'
import type { Stored } from '../ports/collection.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdatedImage } from '../records/stack-update.ts'
import { isClockTrusted } from '../retention/is-clock-trusted.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { digestsOf } from '../updates/compare-image.ts'
import { knownLooks, type ServiceUpdate, updatesOf } from '../updates/list-updates.ts'
import { nextUpdates } from '../updates/next-updates.ts'
import { serviceImages } from '../updates/service-images.ts'
import { hostImages } from '../updates/used-tags.ts'
import { reportFailed, reportStart } from './report-update.ts'
import { byDigest, retagNew } from './retag.ts'
import { reviewPolicy } from './review-policy.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Begins the first update of a host that is due. Does nothing while the host does not respond, nor
 * after the clock jumped: then every image looks old enough.
 */
export async function startNext(
  stacks: readonly Stored<StackRecord>[],
  ports: ApplyPorts,
): Promise<void> {
  const [{ hostId } = { hostId: '' }] = stacks
  const host = await ports.hosts.find(hostId)
  if (!host || !(await isClockTrusted(ports))) return
  const known = await knownLooks(ports)
  const found = await callHost(hostId, ports, hostImages)
  for (const stack of stacks.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    if (stack.openUpdate || stack.updatePolicy?.mode !== 'apply') continue
    const updates = updatesOf(host, serviceImages([stack], found), known)
    const isNewer = updates.some(({ status }) => status.newer !== null)
    // Someone may have given the account its rights back, or taken the image.
    const isBlocked = stack.updatePolicy.actsAs?.blocked !== null
    if (!isNewer && stack.update?.outcome === 'failed') await forgetFailure(stack, ports)
    if (!isNewer && !isBlocked) continue
    const actor = await reviewPolicy(stack, ports)
    if (!actor) continue
    const next = nextUpdates(stack, updates, { blocked: null, now: ports.clock.now() })
    const due = next.filter((one) => one.next.kind === 'due')
    if (due.length > 0 && (await start(stack, due, actor, ports))) return
  }
}

/** Begins an update. Returns whether it did. */
async function start(
  stack: Stored<StackRecord>,
  due: readonly ServiceUpdate[],
  actor: Actor,
  ports: ApplyPorts,
): Promise<boolean> {
  const images = due.flatMap(imageOf)
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
          update: { images },
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
    await reportStart(stack, images, actor.account, ports)
    return true
  } catch (error) {
    // Such as another operation of the stack: the next pass tries again.
    if (isTransient(error)) return false
    await recordFailure(stack, publicMessage(error, 'the service failed'), ports)
    return false
  }
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
  if (isNew) await reportFailed({ id, hostId }, null, reason, ports)
  const at = ports.clock.now()
  await changeStack(
    id,
    ({ openUpdate }) =>
      openUpdate ? {} : { update: { deploymentId: null, outcome: 'failed', reason, at } },
    ports,
  )
}

/** Forgets a failure that no longer matters: nothing is newer. */
async function forgetFailure({ id }: StackRecord, ports: ApplyPorts): Promise<void> {
  await changeStack(
    id,
    ({ update }) => (update?.outcome === 'failed' ? { update: undefined } : {}),
    ports,
  )
}
