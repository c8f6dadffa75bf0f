import { cutOffServices } from '../../compose/cut-off-services.ts'
import { ownEntry } from '../../compose/lookup.ts'
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
import { peekStackLease } from '../stacks/stack-lease.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { digestsOf } from '../updates/compare-image.ts'
import { knownLooks, type ServiceUpdate, updatesOf } from '../updates/list-updates.ts'
import { nextUpdates } from '../updates/next-updates.ts'
import { type HostImages, serviceImages } from '../updates/service-images.ts'
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
    const updates = updatesOf(host, serviceImages([stack], found), known)
    if (updates.every(({ status }) => status.newer === null)) continue
    const actor = await reviewPolicy(stack, ports)
    if (!actor) continue
    const next = nextUpdates(stack, updates, { blocked: null, now: ports.clock.now() })
    const due = next.filter((one) => one.next.kind === 'due')
    if (due.length > 0 && (await start(stack, due, { actor, found }, ports))) return
  }
}

/** Begins an update. Returns whether it did. */
async function start(
  stack: Stored<StackRecord>,
  due: readonly ServiceUpdate[],
  { actor, found }: { actor: Actor; found: HostImages },
  ports: ApplyPorts,
): Promise<boolean> {
  // The next pass tries again.
  if ((await peekStackLease(stack.id, ports)).held) return false
  const images = due.flatMap(imageOf)
  const named = images.map(({ service }) => service)
  const own = found.containers.filter((one) => one.stack === stack.id)
  const services = [...named, ...cutOffServices(named, own)]
  await reportStart(stack, images, actor.account, ports)
  try {
    const { startRecorded } = await startDeployment(
      {
        kind: 'deploy',
        stack,
        files: stack.files,
        revision: stack.contentRevision,
        environment: stack.environment,
        profiles: stack.profiles,
        reach: reachOf(actor),
        mayDeploy: deploysStacks(actor, scopePorts(ports, actor)),
        seesContainers: actor.permissions.has('containers:read'),
        options: {
          ...plainOptions,
          services,
          withoutDependencies: true,
          replicas: replicasOf(stack, services),
          retag: retagNew(images),
          update: { images },
        },
      },
      actor.account,
      ports,
    )
    await startRecorded()
    return true
  } catch (error) {
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

/** Returns the numbers of containers that users set, which an update keeps. */
function replicasOf({ verbs }: StackRecord, services: readonly string[]): Record<string, number> {
  const entries = services.flatMap((name): [string, number][] => {
    const replicas = ownEntry(verbs ?? {}, name)?.replicas
    return replicas === undefined ? [] : [[name, replicas]]
  })
  return Object.fromEntries(entries)
}

/** Records why an update could not begin, and reports it if it is not the same as before. */
async function recordFailure(stack: StackRecord, reason: string, ports: ApplyPorts): Promise<void> {
  const at = ports.clock.now()
  const isNew = stack.update?.outcome !== 'failed' || stack.update.reason !== reason
  await changeStack(
    stack.id,
    ({ last }) =>
      last?.deploymentId === stack.last?.deploymentId
        ? { update: { deploymentId: null, outcome: 'failed', reason, at } }
        : {},
    ports,
  )
  if (isNew) await reportFailed(stack, null, reason, ports)
}
