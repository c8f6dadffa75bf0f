import { ownEntry } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import type { Resolved, Snapshot } from '../../compose/snapshot.ts'
import {
  collectReferences,
  imageOf,
  imagesOf as serviceImages,
} from '../../compose/used-resources.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { StepReport } from '../records/deployment.ts'
import { appliesProject } from '../records/deployment-kinds.ts'
import type { PreparedDeployment } from './prepared.ts'

/**
 * Returns the images that a deployment runs, by service. For a stop, restart or removal these are
 * the images of its containers.
 */
export async function deployedImages(
  { request, engine, project, resolved, snapshot }: PreparedDeployment,
  steps: readonly StepReport[],
): Promise<Record<string, string>> {
  if (!appliesProject(request.kind)) {
    const containers = snapshot.containers.filter(({ oneoff }) => !oneoff)
    return Object.fromEntries(containers.map(({ service, imageId }) => [service, imageId]))
  }
  if (!project) return {}
  const isFetched = steps.some(({ kind }) => kind === 'image')
  if (resolved && !isFetched) return withLeftOut(project, snapshot, resolved)
  const all = { ...project, services: { ...project.services, ...project.left_out } }
  const { images } = collectReferences(all)
  const found = await engine
    .resolve({ networks: [], volumes: [], images })
    .catch(ignoreFailure('read the images of a deployment'))
  return found ? withLeftOut(project, snapshot, found) : {}
}

/** Returns the images of services, for those that were left out the images of their containers. */
function withLeftOut(
  project: Project,
  { containers }: Pick<Snapshot, 'containers'>,
  resolved: Resolved,
): Record<string, string> {
  const { left_out: services } = project
  if (!services) return serviceImages(project, resolved)
  const others = serviceImages({ ...project, services }, resolved)
  const running = containers.flatMap(({ service, imageId, oneoff }) => {
    if (oneoff || !Object.hasOwn(services, service)) return []
    const image = ownEntry(resolved.images, imageOf({ ...project, services }, service))
    const digest = image?.id === imageId ? ownEntry(others, service) : undefined
    return [[service, digest ?? imageId] as const]
  })
  return { ...Object.fromEntries(running), ...serviceImages(project, resolved) }
}
