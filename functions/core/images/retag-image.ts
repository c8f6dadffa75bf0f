import { ownEntry } from '../../compose/lookup.ts'
import type { Platform, StepOutcome } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import { conflict } from '../errors.ts'
import type { Engine, PullOptions } from '../ports/engine.ts'
import { type ImageUser, refusePull } from './image-access.ts'
import { waitForPrune } from './prune-images.ts'
import { type TagPorts, withImageName } from './tag-image.ts'

/** A step that gives a name to an image. */
export type TagStep = Extract<Step, { kind: 'image'; action: 'tag' }>

/**
 * Gives a name to an image, under the rules of a pull of that name. Pulls the image by its digest
 * if the host lacks it, so that without a registry only the images of the host can be named.
 *
 * @throws 409 for an ID that is gone, what `refusePull` and `withImageName` throw, and what the
 *   Engine throws
 */
export async function retagImage(
  step: TagStep,
  how: { user: ImageUser } & PullOptions,
  engine: Engine,
  signal: AbortSignal,
  ports: TagPorts,
): Promise<StepOutcome> {
  const { user, report, ...limits } = how
  const reference = step.name
  const check = () => refusePull(reference, user, ports)
  await check()
  let source = await presentSource(step, engine)
  if (source === undefined) {
    if (!step.source.includes('@')) {
      throw conflict(`image ${step.source} is no longer on the host: ${reference} stays as it is`)
    }
    const { index, after, reason, service, platform } = step
    const about = { index, after, reason, service, platform, ...limits }
    const pull = { ...about, action: 'pull', kind: 'image', name: step.source } as const
    await waitForPrune(user.hostId, signal, ports)
    source = (await engine.execute(pull, signal, report)).id ?? step.source
  }
  const named = { ...step, source }
  const tag = () => engine.execute(named, signal)
  return withImageName({ reference, check, tag }, user, signal, ports)
}

/**
 * Returns the name or ID by which the host has the image, or undefined. An Engine that keeps its
 * images in containerd forgets the repository of an image that lost its tags: there the digest is
 * the ID.
 */
async function presentSource(
  { source, platform }: TagStep,
  engine: Pick<Engine, 'resolve'>,
): Promise<string | undefined> {
  const [, digest] = source.split('@')
  const names = digest === undefined ? [source] : [source, digest]
  const { images } = await engine.resolve({ networks: [], volumes: [], images: names })
  return names.find((name) => {
    const found = ownEntry(images, name)
    return found && (digest === undefined || isFor(platform, found.platform))
  })
}

/** The Engine takes these names too. */
const architectures: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' }

/**
 * Returns whether an image is for the platform that a service names, such as `linux/arm64/v8`.
 * A digest can stand for the images of many platforms, of which the host has one.
 */
function isFor(wanted: string | undefined, platform: Platform | undefined): boolean {
  if (wanted === undefined || !platform) return true
  const [os, architecture = '', variant] = wanted.toLowerCase().split('/')
  return (
    os === platform.os &&
    (ownEntry(architectures, architecture) ?? architecture) === platform.architecture &&
    (variant === undefined || platform.variant === undefined || variant === platform.variant)
  )
}
