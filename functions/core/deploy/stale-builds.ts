import { ownEntry } from '../../compose/lookup.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import { imageOf } from '../../compose/used-resources.ts'
import type { Needs } from '../ports/ports.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import type { ImageBuild, StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { definitionOf, textsOf } from '../stacks/build-definition.ts'
import { builtFrom, type ChangedBuild, staleText } from '../stacks/changed-builds.ts'
import type { PreparedDeployment } from './prepared.ts'
import type { StaleService } from './stale-mounts.ts'

/** Returns the services whose image is older than its files and that no plan builds. */
export function staleBuilds(
  changed: readonly ChangedBuild[],
  stack: string,
  ...plans: Plan[]
): StaleService[] {
  const built = new Set(
    plans.flatMap(({ steps }) =>
      steps.flatMap(({ kind, action, name }) =>
        kind === 'image' && action === 'build' ? name : [],
      ),
    ),
  )
  return changed
    .filter(({ image }) => !built.has(image))
    .map((one) => ({ service: one.service, text: staleText(one, stack) }))
}

/** Returns what a deployment builds an image from. */
export async function buildSource(
  prepared: PreparedDeployment,
  image: string,
  ports: Needs<'texts'>,
): Promise<BuildSource> {
  const { project, request } = prepared
  const { directory } = request.stack
  const files = buildFiles(prepared)
  const definition = project && (await definitionOf(project, image, directory, ports))
  const texts = textsOf(files, request.environment)
  return { files, ...(definition && { ...definition, texts }) }
}

/** What an image is built from. */
export type BuildSource = Omit<ImageBuild, 'image'>

function buildFiles({ request, changes }: PreparedDeployment): StackFiles {
  const { stack, files } = request
  // A scale writes no files, so that it builds from those that are there.
  return !changes || !rulesOf(request).writes ? (stack.written ?? files) : files
}

/**
 * Returns what images were built from of which only the files on the host say so, before a
 * deployment writes others.
 */
export function buildsBeforeWrite({
  request: { stack },
  project,
  resolved,
}: PreparedDeployment): NonNullable<StackRecord['builds']> {
  const services = { ...project?.left_out, ...project?.services }
  const entries = Object.keys(services).flatMap((service): [string, ImageBuild][] => {
    if (!project || !ownEntry(services, service)?.build) return []
    const reference = imageOf({ ...project, services }, service)
    const image = resolved ? ownEntry(resolved.images, reference)?.id : undefined
    const source = builtFrom(stack, reference, image)
    if (image === undefined || !source) return []
    return [[imageName(reference).name, buildOf(image, source)]]
  })
  return Object.fromEntries(entries)
}

/** Returns the record of a build. */
export const buildOf = (image: string, { files, ...source }: BuildSource): ImageBuild => ({
  image,
  files: { others: files.others, ...(files.tree === undefined ? {} : { tree: files.tree }) },
  ...source,
})
