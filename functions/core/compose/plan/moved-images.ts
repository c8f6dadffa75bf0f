import type { Resolved, ResolvedImage, Snapshot } from '../../engine/engine.ts'
import { imageName } from '../../registries/image-name.ts'
import type { Project } from '../project.ts'
import type { Plan } from './draft.ts'
import { allImages, imageOf } from './wanted.ts'

/** A reference that stands for another image than the one that a stack last decided on. */
export interface MovedImage {
  reference: string
  /**
   * The ID that was decided on; null for an image that another stack built and that is new here.
   */
  from: string | null
  /** The ID that the reference stands for now. */
  to: string
}

/** What references are judged by. */
export interface ImageHistory {
  /** Normal name of an image → the ID that was last decided on. */
  recorded: Readonly<Record<string, string>>
  /** References whose name is recorded as another stack's build. */
  foreign: ReadonlySet<string>
}

/**
 * Returns the references of a project that moved. One without a record is trusted at first use,
 * unless another stack built the image. A reference whose containers all run what it stands for now
 * has not moved: another tool has recreated them.
 */
export function movedImages(
  project: Project,
  snapshot: Pick<Snapshot, 'containers'>,
  resolved: Resolved,
  { recorded, foreign }: ImageHistory,
): MovedImage[] {
  return tagsOf(project).flatMap((reference) => {
    const to = resolved.images[reference]?.id
    const from = recorded[imageName(reference).name] ?? null
    if (to === undefined || from === to || (from === null && !foreign.has(reference))) return []
    return allRun(project, snapshot, reference, to) ? [] : [{ reference, from, to }]
  })
}

/** Returns what exists with the images that were decided on in place of those that moved. */
export function withDecided(resolved: Resolved, moved: readonly MovedImage[]): Resolved {
  const decided = moved.flatMap(({ reference, from }): [string, ResolvedImage][] => {
    const found = resolved.images[reference]
    return found && from !== null ? [[reference, { ...found, id: from, digests: [] }]] : []
  })
  return { ...resolved, images: { ...resolved.images, ...Object.fromEntries(decided) } }
}

/** Returns those that a plan neither pulls nor builds: what it fetches moves by its own doing. */
export function notFetched(moved: readonly MovedImage[], ...plans: Plan[]): MovedImage[] {
  const fetched = new Set(
    plans.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'image' ? step.name : []))),
  )
  return moved.filter(({ reference }) => !fetched.has(reference))
}

/** Returns those from which a plan creates containers. */
export function neededImages(moved: readonly MovedImage[], { steps }: Plan): MovedImage[] {
  const created = new Set(steps.flatMap((step) => ('image' in step ? [step.image] : [])))
  return moved.filter(({ reference }) => created.has(reference))
}

/**
 * Returns, by normal name, the IDs that a deployment decides on: what its references stand for,
 * and what was decided before for those that moved.
 */
export function decidedImages(
  project: Project,
  resolved: Resolved,
  moved: readonly MovedImage[],
): Record<string, string> {
  const { images } = withDecided(resolved, moved)
  const first = new Set(moved.flatMap(({ reference, from }) => (from === null ? reference : [])))
  const entries = tagsOf(project).flatMap((reference) => {
    const id = images[reference]?.id
    return id === undefined || first.has(reference)
      ? []
      : [[imageName(reference).name, id] as const]
  })
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * `nginx:1.29 (moved from sha256:… to sha256:…)`, or where an image of another stack comes from.
 */
export function movedText({ reference, from, to }: MovedImage): string {
  return from === null
    ? `${reference} (${to}, which another stack built on this host)`
    : `${reference} (moved from ${from} to ${to})`
}

/** Returns the normal names of a project's images, without those that are given by their ID. */
export const imageNames = (project: Project): ReadonlySet<string> =>
  new Set(tagsOf(project).map((reference) => imageName(reference).name))

/** References by name or digest: an ID cannot move. */
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
      !oneoff && project.services[service] && imageOf(project, service) === reference,
  )
  return users.length > 0 && users.every(({ imageId }) => imageId === id)
}
