import { ownEntry } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import type { Needs } from '../ports/ports.ts'
import type { Owner } from '../records/owner.ts'
import { hasBuilt } from './built-before.ts'
import { builtNames, type ImageFacts, type ImageUser } from './image-access.ts'
import { claimName } from './tag-image.ts'

/** The changes of a successful deployment to the recorded image names. */
export interface NameChanges {
  /** References under which the stack built images before owners were recorded. */
  claim: string[]
  /** Names that the stack's files no longer build. */
  release: Owner[]
}

/**
 * Returns the names that a stack claims without building them again, and those that it releases.
 * The name of an image that the stack did not build is claimed only if the caller has access to the
 * host.
 */
export async function nameChanges(
  project: Project,
  { resolved, owners }: Pick<ImageFacts, 'resolved' | 'owners'>,
  { stack, reach }: ImageUser,
  ports: Needs<'deployments'>,
): Promise<NameChanges> {
  const built = [...builtNames(project)]
  const claim: string[] = []
  for (const reference of built) {
    const image = ownEntry(resolved.images, reference)
    if (!image || image.byId || owners.has(imageName(reference).name)) continue
    if (reach === 'host' || (await hasBuilt(image, reference, stack, ports))) claim.push(reference)
  }
  const names = new Set(built.map((reference) => imageName(reference).name))
  const release = [...owners.values()].filter(
    (owner) => owner.stack === stack && !names.has(owner.name),
  )
  return { claim, release }
}

/**
 * Saves the changes. A name that another stack claimed in the meantime stays with that stack.
 * Errors are logged, never thrown.
 */
export async function changeNames(
  { claim, release }: NameChanges,
  user: ImageUser,
  ports: Needs<'clock' | 'log' | 'owners'>,
): Promise<void> {
  try {
    for (const reference of claim) await claimName(reference, user, ports)
    for (const owner of release) await ports.owners.release(owner)
  } catch (error) {
    ports.log.warn('the names of built images could not be recorded', { stack: user.stack, error })
  }
}
