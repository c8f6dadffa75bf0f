import { ownEntry } from '../../compose/lookup.ts'
import type { Project, Reach } from '../../compose/project.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import type { Resolved } from '../../compose/snapshot.ts'
import { allImages, imageOf } from '../../compose/used-resources.ts'
import { conflict, refusedByPolicy } from '../errors.ts'
import { type ReportUse, refuseUse, reportRefusal } from '../owners/refused-use.ts'
import { isReservedImage, reservedText } from '../owners/reserved-names.ts'
import type { Needs } from '../ports/ports.ts'
import type { Owner } from '../records/owner.ts'
import { isLive, ownerOf } from './image-owners.ts'

/** The stack of a deployment, and what the caller may do. */
export interface ImageUser {
  stack: string
  hostId: string
  reach: Reach
  /** Returns whether the caller may read and deploy a stack. If absent, the caller may not. */
  mayDeploy?: ((stack: string) => Promise<boolean>) | undefined
  /** Normal name → ID of the images that the last deployment of the stack decided on. */
  lastImages?: Readonly<Record<string, string>> | undefined
}

type AccessPorts = Needs<'owners' | 'stacks'>

/**
 * Checks the images that a project uses and builds against the recorded builds of other stacks.
 * Returns the references that belong to other stacks. References in `pinned` were decided on by an
 * earlier deployment and are not checked.
 *
 * @throws 409 if the project builds under a name that another stack builds, 403 if it uses an image
 *   of a stack that the caller may not deploy, or an image by its ID, unless `report` keeps it
 */
export async function checkImageAccess(
  project: Project,
  { resolved, owners, pinned }: ImageFacts,
  user: ImageUser,
  ports: AccessPorts,
  report: ReportUse = refuseUse,
): Promise<ReadonlySet<string>> {
  const own = builtNames(project)
  const foreign = new Set<string>()
  for (const { path, reference, mounted } of imageUsesOf(project)) {
    if (pinned.has(reference)) continue
    const byId = mounted
      ? /^[0-9a-f]+$/.test(reference)
      : ownEntry(resolved.images, reference)?.byId
    const use = { name: imageUse(reference) }
    await reportRefusal(use, report, async () => refuseId(path, reference, byId ?? false, user))
    const owner = ownerOf(reference, owners)
    if (!owner || owner.stack === user.stack || !(await isLive(owner, ports))) continue
    if (own.has(reference)) throw nameTaken(path, reference)
    await reportRefusal(use, report, () => refuseForeign(path, reference, owner, user))
    foreign.add(reference)
  }
  return foreign
}

/** Returns the name by which the use of an image is known, and accepted. */
export const imageUse = (reference: string): string => `image:${reference}`

/** The facts that references are checked against. */
export interface ImageFacts {
  resolved: Resolved
  /** The stacks that built images on the host; see `imageOwners`. */
  owners: ReadonlyMap<string, Owner>
  pinned: ReadonlySet<string>
}

/** Returns the references under which a project builds images. */
export function builtNames(project: Project): ReadonlySet<string> {
  const names = Object.entries(project.services).flatMap(([name, { build }]) =>
    build ? [imageOf(project, name), ...(build.tags ?? [])] : [],
  )
  return new Set(names)
}

/**
 * Returns the failure 409: the name belongs to another stack. It does not name that stack, which
 * the caller may not be allowed to read.
 */
export const nameTaken = (path: string, reference: string) =>
  conflict(
    `${path}: another stack on the same host builds images under the name ${reference}; ` +
      'give this one a name of its own with `image:` (or in `build.tags`)',
    { reason: 'in-use' },
  )

/**
 * @throws 403 for a name of the service's images that the stack does not use yet, and 409 if a pull
 *   would replace an image that another stack built, unless the caller has access to the host or
 *   may deploy that stack
 */
export async function refusePull(
  reference: string,
  user: Omit<ImageUser, 'stack'> & { stack: string | null },
  ports: AccessPorts,
): Promise<void> {
  const { kind, name } = imageName(reference)
  if (kind !== 'tag' || user.reach === 'host') return
  if (isReservedImage(reference) && !Object.hasOwn(user.lastImages ?? {}, name)) {
    throw refusedByPolicy(reservedText(`image ${reference}`))
  }
  const owner = await ports.owners.find({ hostId: user.hostId, kind: 'image', name })
  if (!owner || owner.stack === user.stack || !(await isLive(owner, ports))) return
  if (await user.mayDeploy?.(owner.stack)) return
  throw conflict(
    `image ${reference}: a stack on the same host builds its image under this name; ` +
      'pulling it needs permission to read and deploy that stack, or stacks:privileged',
    { reason: 'in-use' },
  )
}

interface Use {
  path: string
  reference: string
  /** The image is mounted, so it was not resolved before. */
  mounted?: boolean
}

/** Returns the images that services run and mount, and the tags of their builds. */
export function imageUsesOf(project: Project): Use[] {
  return Object.entries(project.services).flatMap(([service, { build, volumes }]) => {
    const images = allImages(project, service)
    const named = images.map((reference) => ({ path: `services.${service}.image`, reference }))
    const path = `services.${service}.build.tags`
    const mounted = (volumes ?? []).flatMap(({ type, source }, index) =>
      type === 'image' && source !== undefined
        ? [{ path: `services.${service}.volumes[${index}]`, reference: source, mounted: true }]
        : [],
    )
    const tags = (build?.tags ?? []).map((reference) => ({ path, reference }))
    return [...named, ...tags, ...mounted]
  })
}

function refuseId(path: string, reference: string, byId: boolean, { reach }: ImageUser): void {
  if (reach === 'host' || (imageName(reference).kind !== 'id' && !byId)) return
  throw refusedByPolicy(
    `${path}: ${reference} is the ID of an image, which may be any stack's: ` +
      'this needs the permission stacks:privileged; name the image instead',
  )
}

async function refuseForeign(path: string, reference: string, owner: Owner, user: ImageUser) {
  if (user.reach === 'host' || (await user.mayDeploy?.(owner.stack))) return
  throw refusedByPolicy(
    `${path}: another stack on the same host built ${reference}: ` +
      'using it needs permission to read and deploy that stack, or stacks:privileged',
  )
}
