import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import { imageName } from '../../reference/image-name.ts'
import type { Resolved, ResolvedImage, Snapshot } from '../../snapshot.ts'
import { allImages, imageOf } from '../../used-resources.ts'
import type { Plan } from '../plan-steps.ts'

/** A reference that now points to a different image than the one that the stack last decided on. */
export interface MovedImage {
  reference: string
  /** The ID that was decided on; null for the first use of an image that another stack built. */
  from: string | null
  /** The ID that the reference points to now. */
  to: string
}

/** The recorded decisions to compare references with. */
export interface ImageHistory {
  /** Normalized name of an image → the ID that was last decided on. */
  recorded: Readonly<Record<string, string>>
  /** References whose name is recorded as another stack's build. */
  foreign: ReadonlySet<string>
}

/**
 * Returns the references of a project that moved. A reference without a record is trusted on first
 * use unless another stack built the image. A reference has not moved if all its containers already
 * run the image it points to now: another tool recreated them.
 */
export function movedImages(
  project: Project,
  snapshot: Pick<Snapshot, 'containers'>,
  resolved: Resolved,
  { recorded, foreign }: ImageHistory,
): MovedImage[] {
  return tagsOf(project).flatMap((reference) => {
    const to = ownEntry(resolved.images, reference)?.id
    const from = ownEntry(recorded, imageName(reference).name) ?? null
    if (to === undefined || from === to || (from === null && !foreign.has(reference))) return []
    return allRun(project, snapshot, reference, to) ? [] : [{ reference, from, to }]
  })
}

/** Replaces moved images with those that were decided on. */
export function withDecided(resolved: Resolved, moved: readonly MovedImage[]): Resolved {
  const decided = moved.flatMap(({ reference, from }): [string, ResolvedImage][] => {
    const found = ownEntry(resolved.images, reference)
    return found && from !== null ? [[reference, { ...found, id: from, digests: [] }]] : []
  })
  return { ...resolved, images: { ...resolved.images, ...Object.fromEntries(decided) } }
}

/**
 * Returns the moved images that a plan neither pulls nor builds. An image that it pulls or builds
 * is expected to move.
 */
export function notFetched(moved: readonly MovedImage[], ...plans: Plan[]): MovedImage[] {
  const fetched = new Set(
    plans.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'image' ? step.name : []))),
  )
  return moved.filter(({ reference }) => !fetched.has(reference))
}

/** Returns the moved images that a plan creates containers from. */
export function neededImages(moved: readonly MovedImage[], { steps }: Plan): MovedImage[] {
  const created = new Set(steps.flatMap((step) => ('image' in step ? [step.image] : [])))
  return moved.filter(({ reference }) => created.has(reference))
}

/**
 * Returns the IDs that a deployment decides on, by normalized name: the image that a reference
 * points to, or the previous decision for references that moved.
 */
export function decidedImages(
  project: Project,
  resolved: Resolved,
  moved: readonly MovedImage[],
): Record<string, string> {
  const { images } = withDecided(resolved, moved)
  const first = new Set(moved.flatMap(({ reference, from }) => (from === null ? reference : [])))
  const entries = tagsOf(project).flatMap((reference) => {
    const id = ownEntry(images, reference)?.id
    return id === undefined || first.has(reference)
      ? []
      : [[imageName(reference).name, id] as const]
  })
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * Describes a moved image: `nginx:1.29 (moved from sha256:… to sha256:…)`, or says that another
 * stack built it.
 */
export function movedText({ reference, from, to }: MovedImage): string {
  return from === null
    ? `${reference} (${to}, which another stack built on this host)`
    : `${reference} (moved from ${from} to ${to})`
}

/** Returns the normalized names of the images of a project, except those given by ID. */
export const imageNames = (project: Project): ReadonlySet<string> =>
  new Set(tagsOf(project).map((reference) => imageName(reference).name))

/** References by name or digest. References by ID are excluded because they cannot move. */
const tagsOf = (project: Project) => [
  ...new Set(
    Object.keys(project.services)
      .flatMap((name) => allImages(project, name))
      .filter((reference) => imageName(reference).kind !== 'id'),
  ),
]

function allRun(
  project: Project,
  { containers }: Pick<Snapshot, 'containers'>,
  reference: string,
  id: string,
): boolean {
  const users = containers.filter(
    ({ service, oneoff }) =>
      !oneoff && ownEntry(project.services, service) && imageOf(project, service) === reference,
  )
  return users.length > 0 && users.every(({ imageId }) => imageId === id)
}
