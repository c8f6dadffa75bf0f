import { imageBuild } from '../../create/image-build.ts'
import { label } from '../../create/labels.ts'
import { unprocessable } from '../../errors.ts'
import { ownEntry, serviceOf } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import { shortDigest } from '../../reference/image-reference.ts'
import type { ObservedContainer, Resolved, Snapshot } from '../../snapshot.ts'
import { allImages, digestOf, imageOf, scaleOf } from '../../used-resources.ts'
import { dependencies, serviceOrder } from '../order.ts'
import { addStep, type Plan } from '../plan-steps.ts'
import { pullWindow } from './pull-window.ts'
import { type Retags, retagSource } from './retags.ts'

/**
 * Which images to pull and build. `pull` and `build` override the `pull_policy` of services;
 * `fetched` images have just been pulled or built. With `retag`, services do not decide by their
 * `pull_policy` that an image is pulled or built that is there.
 */
export interface PullOptions {
  pull: 'missing' | 'always' | 'never' | null
  build?: 'missing' | 'always' | undefined
  /** Image → what of its build changed since: `./app/Dockerfile`, `build.args`. */
  changedBuilds?: Readonly<Record<string, string>>
  fetched?: readonly string[]
  retag?: Retags | undefined
  /** Milliseconds since the epoch, to compute the age of images. */
  now: number
}

/** Image reference → the step that pulls or builds it. */
export type FetchSteps = ReadonlyMap<string, number>

/** The information on which pulls and builds are based. */
export interface ImageEvidence {
  project: Project
  resolved: Resolved
  options: PullOptions
  /** The step that writes the project's files, which builds may read. */
  files?: number | undefined
}

/**
 * Adds a pull or a build for each image that is missing or must be refreshed. An image with a
 * `build` is never pulled.
 *
 * @throws 422 if an image can be neither pulled nor built
 */
export function planFetches(plan: Plan, evidence: ImageEvidence): FetchSteps {
  const { project, options } = evidence
  const fetches = new Map<string, number>()
  const builders = buildersOf(project)
  const uses = serviceOrder(project.services).flatMap((name) =>
    allImages(project, name).map((image) => ({ name, image })),
  )
  for (const { name, image } of uses) {
    const building = builders.get(image) ?? []
    const [builder] = building
    const source = builder === undefined ? retagSource(options.retag, image) : undefined
    const reason = fetchReason(evidence, { name, image, building, source })
    if (reason === undefined || fetches.has(image)) continue
    const draft = { name, image, reason }
    if (builder !== undefined) {
      fetches.set(image, addBuild(plan, evidence, { image, builder, reason, fetches }))
    } else if (source !== undefined) {
      fetches.set(image, addTag(plan, evidence, { ...draft, source }))
    } else fetches.set(image, addPull(plan, project, draft))
  }
  return fetches
}

/** An image that a service uses, the services that build it, and the image that gets its name. */
interface ImageUse {
  name: string
  image: string
  building: string[]
  source: string | undefined
}

/** Returns why an image is built, tagged or pulled; undefined if it is not. */
function fetchReason(
  evidence: ImageEvidence,
  { name, image, building, source }: ImageUse,
): string | undefined {
  if (building.length > 0) return buildReason(evidence, image, building)
  if (source !== undefined) return tagReason(evidence, { name, image, source })
  return pullReason(evidence, name, image)
}

/** Returns whether an image is built, which needs the project's files on the host. */
export function isAnyBuilt(evidence: Omit<ImageEvidence, 'files'>): boolean {
  const trial: Plan = { steps: [], warnings: [] }
  planFetches(trial, evidence)
  return trial.steps.some(({ action }) => action === 'build')
}

/**
 * Plans the pulls and builds that can cause existing containers to be recreated: those of services
 * that have containers. The caller executes this plan, resolves the images again and plans the
 * project with their names in `fetched`. The plan is empty for most deploys. If something is built,
 * `addFiles` first adds the step that writes the project's files.
 */
export function planPrefetch(
  evidence: Omit<ImageEvidence, 'files'>,
  snapshot: Snapshot,
  addFiles: (plan: Plan) => number | undefined,
): Plan {
  const { project, resolved, options } = evidence
  const present = new Set(snapshot.containers.map((container) => container.service))
  const images = new Set(
    Object.keys(project.services)
      .filter((name) => present.has(name))
      .map((name) => imageOf(project, name)),
  )
  const services = Object.entries(project.services).filter(([name]) =>
    images.has(imageOf(project, name)),
  )
  const part = { ...project, services: Object.fromEntries(services) }
  const fetched = { project: part, resolved, options }
  const plan: Plan = { steps: [], warnings: [] }
  planFetches(plan, { ...fetched, files: isAnyBuilt(fetched) ? addFiles(plan) : undefined })
  return plan
}

/**
 * Returns whether a container was created from a different image than the reference now points to.
 * An unknown image counts as unchanged. The label of a container that never ran proves nothing
 * because it was written before the image was checked.
 */
export function imageChanged(
  container: ObservedContainer,
  image: Resolved['images'][string] | undefined,
): boolean {
  if (!image || container.imageId === image.id) return false
  if (container.state === 'created') return true
  const recorded = container.labels[label.image]
  return recorded !== image.id && !image.digests.some((digest) => digest.endsWith(`@${recorded}`))
}

/** Returns the services that define a build, by image. */
function buildersOf(project: Project): Map<string, string[]> {
  const builders = new Map<string, string[]>()
  for (const [name, service] of Object.entries(project.services)) {
    if (!service.build) continue
    const image = imageOf(project, name)
    builders.set(image, [...(builders.get(image) ?? []), name])
  }
  return builders
}

/** A build of an image. */
export interface BuildDraft {
  image: string
  builder: string
  reason: string
  fetches: FetchSteps
}

/** Builds of dependencies come first because the Dockerfile may use their images as a base. */
export function addBuild(
  plan: Plan,
  { project, files }: Pick<ImageEvidence, 'project' | 'files'>,
  draft: BuildDraft,
): number {
  const { image, builder, reason, fetches } = draft
  const before = dependencies(serviceOf(project, builder))
    .filter((name) => ownEntry(project.services, name))
    .map((name) => fetches.get(imageOf(project, name)))
  const build = imageBuild(project, builder, image)
  const about = { reason, service: builder, after: [files, ...before] }
  return addStep(plan, about, { action: 'build', kind: 'image', name: image, build })
}

/** An image that a service needs. */
interface FetchDraft {
  name: string
  image: string
  reason: string
}

/** Adds the pull of an image for a service. */
export function addPull(plan: Plan, project: Project, { name, image, reason }: FetchDraft): number {
  const { platform, ...service } = serviceOf(project, name)
  const stamp = pullWindow(service) === undefined ? undefined : (true as const)
  const call = { action: 'pull', kind: 'image', name: image, platform } as const
  return addStep(plan, { reason }, stamp ? { ...call, stamp } : call)
}

/** Adds the step that gives the name of an image to another one. */
function addTag(
  plan: Plan,
  { project, resolved }: Pick<ImageEvidence, 'project' | 'resolved'>,
  { name, image, reason, source }: FetchDraft & { source: string },
): number {
  const { platform } = serviceOf(project, name)
  const known = ownEntry(resolved.images, image)
  const before = known && (digestOf(image, known.digests) ?? known.id)
  const isSame = known && [known.id, ...known.digests].includes(source)
  const call = { action: 'tag', kind: 'image', name: image, source, platform } as const
  const change = before === undefined || isSame ? {} : { imageChange: { before, after: source } }
  return addStep(plan, { reason }, { ...call, ...change })
}

function buildReason(
  { project, resolved, options }: ImageEvidence,
  image: string,
  builders: string[],
): string | undefined {
  const services = builders.map((name) => serviceOf(project, name))
  const users = Object.keys(project.services).filter((name) => imageOf(project, name) === image)
  const used = users.some((name) => scaleOf(serviceOf(project, name)) > 0)
  if (!used || options.fetched?.includes(image)) return undefined
  const { build, changedBuilds = {} } = options
  const isRequested =
    build === undefined &&
    followsPolicies(options) &&
    services.some((service) => service.pull_policy === 'build')
  if (isRequested) return 'pull_policy build'
  if (!ownEntry(resolved.images, image)) return 'no image'
  if (build !== 'always') return undefined
  const what = ownEntry(changedBuilds, image)
  return what === undefined ? 'build always' : changedText(what)
}

/** Returns whether the `pull_policy` of a service can refresh an image that is there. */
const followsPolicies = ({ pull, retag }: PullOptions) => pull === null && retag === undefined

/** Says that an image was built from something older. */
export const changedText = (what: string): string => `${what} changed since its image was built`

function tagReason(
  { project, options }: ImageEvidence,
  { name, image, source }: { name: string; image: string; source: string },
): string | undefined {
  const isUnused = scaleOf(serviceOf(project, name)) === 0
  if (isUnused || options.fetched?.includes(image)) return undefined
  return `becomes ${shortDigest(source)}`
}

function pullReason(
  { project, resolved, options }: ImageEvidence,
  name: string,
  image: string,
): string | undefined {
  const service = serviceOf(project, name)
  const present = ownEntry(resolved.images, image)
  if (scaleOf(service) === 0 || options.fetched?.includes(image)) return undefined
  const policy = options.pull ?? service.pull_policy ?? 'missing'
  if (policy === 'always' && (options.pull !== null || followsPolicies(options)))
    return 'pull always'
  if (!present) {
    if (policy !== 'never') return 'image missing'
    throw unprocessable(`services.${name}: image ${image} is not on the host and is never pulled`)
  }
  const window = followsPolicies(options) ? pullWindow(service) : undefined
  if (window === undefined) return undefined
  return (present.taggedAt ?? 0) + window < options.now ? `pull ${service.pull_policy}` : undefined
}
