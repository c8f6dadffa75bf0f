import { imageName } from '../../compose/reference/image-name.ts'
import type { StepOutcome } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import type { Engine, PullOptions } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import { type ImageUser, refusePull } from './image-access.ts'
import { imageOwners, isLive } from './image-owners.ts'
import { waitForPrune } from './prune-images.ts'
import { retagImage } from './retag-image.ts'
import { checkName, type TagPorts, tagBuiltImage } from './tag-image.ts'

/** A step that pulls, builds or tags an image. */
export type ImageStep = Extract<Step, { kind: 'image'; action: 'pull' | 'build' | 'tag' }>

/** The images of others, or images that moved, that the caller of a deployment accepted. */
export interface Accepted {
  /** Normal names of images built by other stacks that its builds may use as base images. */
  bases: readonly string[]
  /** The caller accepts the images that names currently stand for on the host. */
  all: boolean
}

/** An image that a step pulled, built or tagged. */
export interface FetchedImage extends StepOutcome {
  /** Images built by other stacks that its Dockerfile uses, as normal names. */
  foreignBases: string[]
}

/**
 * Pulls an image, gives a name to one, or builds one untagged and then tags it.
 *
 * @param how `report` is called for each change of a layer of a pull
 * @throws what the Engine, `refusePull`, `retagImage` and `checkName` throw
 */
export async function fetchImage(
  step: ImageStep,
  how: { user: ImageUser; accepted: Accepted } & Pick<PullOptions, 'report'>,
  engine: Engine,
  signal: AbortSignal,
  ports: TagPorts & Needs<'registries' | 'settings'>,
): Promise<FetchedImage> {
  const { user, accepted, report } = how
  const limits = user.reach === 'host' ? {} : { registries: await allowedRegistries(ports) }
  if (step.action === 'pull') {
    await refusePull(step.name, user, ports)
    const pulled = await engine.execute({ ...step, ...limits }, signal, report)
    return { ...pulled, foreignBases: [] }
  }
  if (step.action === 'tag') {
    const tagged = await retagImage(step, { user, report, ...limits }, engine, signal, ports)
    return { ...tagged, foreignBases: [] }
  }
  const names = [step.name, ...step.build.tags]
  // Check before the build, which may take long, and again before each tag.
  for (const name of names) await checkName(name, user, engine, ports)
  const foreign = await foreignNames(user, ports)
  const refused = {
    names: await refusedBases(foreign, user, accepted),
    ids: user.reach === 'stack',
  }
  const build = { ...step.build, refused, ...limits }
  await waitForPrune(user.hostId, signal, ports)
  const built = await engine.execute({ ...step, build }, signal)
  for (const reference of names) {
    signal.throwIfAborted()
    await tagBuiltImage({ id: built.id ?? '', reference }, user, engine, signal, ports)
  }
  const bases = (built.bases ?? []).map((base) => imageName(base).name)
  return { ...built, foreignBases: bases.filter((base) => foreign.has(base)) }
}

/** Returns the images that other stacks build on the host: normal name → name of the stack. */
async function foreignNames({ hostId, stack }: ImageUser, ports: TagPorts) {
  const all = await imageOwners(hostId, ports)
  const live = new Map<string, string>()
  for (const owner of all.values()) {
    if (owner.stack !== stack && (await isLive(owner, ports))) live.set(owner.name, owner.stack)
  }
  return live
}

/**
 * Returns the base images to refuse. A name that was accepted before stays accepted; a new one is
 * accepted only if the caller accepts all and may deploy its owner.
 */
async function refusedBases(
  foreign: ReadonlyMap<string, string>,
  user: ImageUser,
  { bases, all }: Accepted,
): Promise<string[]> {
  const refused: string[] = []
  for (const [name, owner] of foreign) {
    if (bases.includes(name)) continue
    const mayUse = user.reach === 'host' || (await user.mayDeploy?.(owner))
    if (!all || !mayUse) refused.push(name)
  }
  return refused
}
