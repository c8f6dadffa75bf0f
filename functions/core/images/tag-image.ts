import { isDockerFrontend } from '../../compose/build/dockerfile-dials.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import { conflict, leaseHeld, refusedByPolicy, unprocessable } from '../errors.ts'
import { ignoreError } from '../ignore-error.ts'
import { acquireWithin } from '../leases/acquire-within.ts'
import { isReservedImage, reservedText } from '../owners/reserved-names.ts'
import type { Engine } from '../ports/engine.ts'
import { type Lease, timeLeft } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import { hasBuilt } from './built-before.ts'
import { type ImageUser, nameTaken } from './image-access.ts'
import { isLive } from './image-owners.ts'

export type TagPorts = Needs<
  'clock' | 'deployments' | 'leases' | 'log' | 'owners' | 'random' | 'stacks'
>

/** A built image and the name to give it. */
export interface TagRequest {
  id: string
  reference: string
}

/** How long to wait for the lease: until that of a process that died is over. Milliseconds. */
const timeout = 11_000
/** The time that must be left on the lease for the call that tags the image. Milliseconds. */
const callTime = 5_000

/**
 * Tags an image that a stack built and records the stack as the owner of the name.
 *
 * @throws what `checkName` and `withImageName` throw
 */
export async function tagBuiltImage(
  { id, reference }: TagRequest,
  user: ImageUser,
  engine: Engine,
  signal: AbortSignal,
  ports: TagPorts,
): Promise<void> {
  const check = async () => {
    await checkName(reference, user, engine, ports)
    await claimName(reference, user, ports)
  }
  const tag = () => engine.tagImage(id, reference)
  await withImageName({ reference, check, tag }, user, signal, ports)
}

/** The tagging of an image, and the check whether the name may be given. */
interface Tagging<T> {
  reference: string
  check(): Promise<void>
  tag(): Promise<T>
}

/**
 * Tags an image. A lease per host and name keeps the result of the check valid until the tag is
 * set.
 *
 * @throws 409 if another deployment holds the lease or acquired it during a slow check, and the
 *   reason of the signal if it is aborted while it waits
 */
export async function withImageName<T>(
  { reference, check, tag }: Tagging<T>,
  user: Pick<ImageUser, 'hostId'>,
  signal: AbortSignal,
  ports: Needs<'clock' | 'leases' | 'log' | 'random'>,
): Promise<T> {
  const lease = await lockName(reference, user, signal, ports)
  try {
    await check()
    const isShort = timeLeft(lease, ports.clock) < callTime
    if (isShort && !(await ports.leases.renew(lease))) throw isBeingTagged(reference)
    return await tag()
  } finally {
    // The lease also expires on its own.
    await ports.leases.release(lease).catch(ignoreError('release a lease'))
  }
}

/**
 * Checks that a stack may give its image this name: the name is recorded as the stack's, or it is
 * free, or the image that has it was built by this stack.
 *
 * @throws 409 if the name belongs to another stack, or to an image that this stack did not build
 *   (unless the caller has access to the host); 403 without access to the host for the names of
 *   the builders' own frontends and of the service's images; 422 if the name is a digest or an ID
 */
export async function checkName(
  reference: string,
  user: ImageUser,
  engine: Pick<Engine, 'resolve'>,
  ports: Needs<'deployments' | 'owners' | 'stacks'>,
): Promise<void> {
  const { kind, name } = imageName(reference)
  if (kind !== 'tag')
    throw unprocessable(`image ${reference}: a build cannot give a digest or an ID`)
  if (isDockerFrontend(reference) && user.reach !== 'host') {
    throw refusedByPolicy(
      `image ${reference}: builds by any stack trust images of this name: this needs the ` +
        'permission stacks:privileged',
    )
  }
  const owner = await ports.owners.find({ hostId: user.hostId, kind: 'image', name })
  if (owner?.stack === user.stack) return
  if (owner && (await isLive(owner, ports))) throw nameTaken('image', reference)
  const { images } = await engine.resolve({ networks: [], volumes: [], images: [reference] })
  if (user.reach === 'host') return
  const present = ownEntry(images, reference)
  const isTaken = present !== undefined && !present.byId
  if (isTaken && (await hasBuilt(present, reference, user.stack, ports))) return
  if (isReservedImage(reference)) throw refusedByPolicy(reservedText(`image ${reference}`))
  if (!isTaken) return
  throw conflict(
    `image ${reference}: the host has an image with this name that the stack did not build; ` +
      'choose another name with `image:`, remove that image, or deploy with the permission stacks:privileged',
    { reason: 'exists' },
  )
}

/**
 * Records a stack as the owner of a name.
 *
 * @throws 409 if another stack claimed it first
 */
export async function claimName(
  reference: string,
  { stack, hostId }: ImageUser,
  { clock, owners }: Needs<'clock' | 'owners'>,
): Promise<void> {
  const { name } = imageName(reference)
  const owner = await owners.claim({ hostId, kind: 'image', name, stack, at: clock.now() })
  if (owner.stack !== stack) throw nameTaken('image', reference)
}

async function lockName(
  reference: string,
  { hostId }: Pick<ImageUser, 'hostId'>,
  signal: AbortSignal,
  ports: Needs<'clock' | 'leases' | 'log' | 'random'>,
): Promise<Lease> {
  const name = `image:${hostId}:${imageName(reference).name}`
  const lease = await acquireWithin(name, { timeout, signal }, ports)
  if (lease) return lease
  throw isBeingTagged(reference)
}

const isBeingTagged = (reference: string) =>
  leaseHeld(`image ${reference}: another deployment is tagging an image with this name: try again`)
