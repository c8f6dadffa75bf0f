import { planOneOff } from '../../compose/plan/up/plan-one-off.ts'
import { conflict, internalError, leaseHeld } from '../errors.ts'
import { ignoreError } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'
import type { StackRecord } from '../records/stack.ts'
import { withStackLock } from '../stacks/stack-lease.ts'
import { acquireFeedLease } from './lease.ts'
import { type OneOffPorts, type PreparedOneOff, prepareOneOff } from './prepare.ts'
import { removeOneOff } from './remove.ts'
import type { OneOffRequest } from './request.ts'

export type CreateOneOffPorts = OneOffPorts & Needs<'background' | 'oneOffs'>

/**
 * Creates a container that runs one command of a service. It is not started: its feed or the run of
 * its job does that. Without one it is removed after 30 s. Returns its record and the ID of the
 * container.
 *
 * @throws 409 while a deployment of the stack runs or if the stack has too many of them, and what
 *   `prepareOneOff` throws
 */
export async function createOneOff(
  request: OneOffRequest,
  signal: AbortSignal,
  ports: CreateOneOffPorts,
): Promise<{ oneOff: OneOff; containerId: string }> {
  const prepared = await prepareOneOff(request, signal, ports).catch(async (error) => {
    // A deploy that began since can be why, as it removes what it recreates.
    await requireSame(request, ports)
    throw error
  })
  const oneOff = recordOf(request, prepared, ports)
  return withStackLock(request.stack.id, ports, async () => {
    await requireSame(request, ports)
    await requireRoom(request, prepared.engine)
    // The lease comes first: the sweep removes a record without one.
    await acquireFeedLease(oneOff, ports)
    await ports.oneOffs.create(oneOff)
    try {
      const containerId = await execute(request, prepared, oneOff, signal)
      // Creating it may have taken so long that the sweep has removed the record.
      const isHeld = await acquireFeedLease(oneOff, ports)
      if (isHeld && (await ports.oneOffs.find(oneOff.id))) return { oneOff, containerId }
      throw internalError(`container ${oneOff.container}: creating it took too long`, {
        reason: 'timeout',
      })
    } catch (error) {
      await removeOneOff(oneOff, prepared.engine, ports).catch(
        ignoreError('remove a one-off container'),
      )
      throw error
    }
  })
}

/**
 * Checks that the stack is the one that was checked: a pull can take long, and by then the stack,
 * with its volumes, can be that of someone else. During a deploy, its earlier files may be read.
 *
 * @throws 409 if the stack was deleted or deployed since
 */
async function requireSame(
  { stack, jobRun }: OneOffRequest,
  { stacks }: OneOffPorts,
): Promise<void> {
  const now = await stacks.find(stack.id)
  if (now && isSame(now, stack)) return
  const message = `stack ${stack.id}: it was changed in the meantime: try again`
  // The run of a job does that by itself, as for all that is busy.
  throw jobRun === undefined ? conflict(message, { reason: 'conflict' }) : leaseHeld(message)
}

const isSame = (one: StackRecord, other: StackRecord): boolean =>
  one.createdAt === other.createdAt &&
  one.hostId === other.hostId &&
  one.last?.deploymentId === other.last?.deploymentId &&
  one.last?.applied === other.last?.applied &&
  one.last?.status === other.last?.status

/** The maximum number of one-off containers of a stack, including those that are kept. */
const containersMax = 50

/** @throws 409 if the stack has too many one-off containers */
async function requireRoom({ stack }: OneOffRequest, engine: Engine): Promise<void> {
  const containers = await engine.projectContainers(stack.id)
  if (containers.filter(({ oneoff }) => oneoff).length < containersMax) return
  throw conflict(
    `stack ${stack.id}: it has ${containersMax} one-off containers: a deploy with \`remove_orphans\` removes those that have ended`,
    { reason: 'limit' },
  )
}

function recordOf(
  request: OneOffRequest,
  { hooks }: PreparedOneOff,
  { random, clock }: OneOffPorts,
): OneOff {
  const { stack, service, tty, keep, accountId, jobRun } = request
  const id = Buffer.from(random.bytes(6)).toString('hex')
  return {
    id,
    stack: stack.id,
    service,
    hostId: stack.hostId,
    accountId,
    tty,
    keep,
    container: `${stack.id}-${service}-run-${id}`,
    ...(hooks && { hooks }),
    ...(jobRun !== undefined && { jobRun }),
    isAttached: jobRun !== undefined,
    createdAt: clock.now(),
  }
}

async function execute(
  request: OneOffRequest,
  { engine, project, apiVersion, imageId, parents }: PreparedOneOff,
  { id, container }: OneOff,
  signal: AbortSignal,
): Promise<string> {
  const draft = { ...request, name: container, slug: id }
  const facts = { apiVersion, imageId, parents }
  let containerId: string | undefined
  for (const step of planOneOff(project, draft, facts)) {
    const outcome = await engine.execute(step, signal)
    containerId ??= outcome.id
  }
  if (containerId !== undefined) return containerId
  throw internalError(`container ${container} was created without an id`, {
    reason: 'engine-failed',
  })
}
