import { ownEntry, serviceOf } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import type { ObservedContainer, Resolved, ResourceNames } from '../../compose/snapshot.ts'
import { collectReferences, imageOf } from '../../compose/used-resources.ts'
import { findBeyondSavers } from '../deploy/beyond-savers.ts'
import { refuseLinks } from '../deploy/refuse-links.ts'
import { refuseSharedMounts } from '../deploy/refuse-shared-mounts.ts'
import { notAccepted } from '../deploy/refuse-unaccepted.ts'
import type { PreparePorts } from '../deploy/request.ts'
import { usedNames } from '../deploy/used-names.ts'
import { conflict, notFound } from '../errors.ts'
import { decideImages } from '../images/decide-images.ts'
import { fetchImage } from '../images/fetch-image.ts'
import { checkImageAccess, type ImageFacts, type ImageUser } from '../images/image-access.ts'
import { imageOwners } from '../images/image-owners.ts'
import { checkReferences } from '../owners/check-references.ts'
import { enterJoined } from '../owners/enter-joined.ts'
import { refuseOwnFiles } from '../owners/refuse-installation.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'
import { wasEverDeployed } from '../records/stack.ts'
import { deployedFiles } from '../stacks/deployed-files.ts'
import { nothingOwned } from '../stacks/host-owned.ts'
import { checkDependencies, parentIds } from './check-dependencies.ts'
import { loadService } from './load-service.ts'
import type { OneOffRequest } from './request.ts'

export type OneOffPorts = PreparePorts & Needs<'random' | 'registries' | 'leases' | 'log'>

/** A one-off container that was checked. Only its image may have been pulled yet. */
export interface PreparedOneOff {
  engine: Engine
  project: Project
  apiVersion: string
  imageId: string
  /** Service → the ID of its container, for services whose namespaces it joins. */
  parents: Record<string, string>
  hooks: OneOff['hooks']
}

/**
 * Checks that a service of a stack may run once more, as a deploy by the caller would, with the
 * files that were last deployed. Pulls its image if it is missing.
 *
 * @throws 404 if there is no such service, 409 if the stack was never deployed or something that
 *   the service needs is missing, 403 and 422 as for a deploy
 */
export async function prepareOneOff(
  request: OneOffRequest,
  signal: AbortSignal,
  ports: OneOffPorts,
): Promise<PreparedOneOff> {
  const { stack, service, reach } = request
  const { environment } = stack
  const files = await deployedFiles(stack, ports, service)
  const from = { files, environment }
  const loaded = await loadService(stack, service, { ...from, reach }, ports)
  const { project: whole, references } = loaded
  const project = { ...whole, services: { [service]: serviceOf(whole, service) } }
  if (!wasEverDeployed(stack)) {
    throw conflict(`stack ${stack.id}: it was never deployed: deploy it first`, {
      reason: 'conflict',
    })
  }
  const engine = await ports.engines.on(stack.hostId)
  await refuseOwnFiles(stack, engine)
  const names = collectReferences(project)
  const [apiVersion, containers, resolved] = await Promise.all([
    engine.apiVersion(),
    engine.projectContainers(stack.id),
    engine.resolve(names),
  ])
  requireExisting(names, resolved)
  const used = references.filter(({ name }) => [...names.networks, ...names.volumes].includes(name))
  const usedBefore = () => usedNames(stack, ports)
  await checkReferences(
    { ...userOf(request), record: stack, usedNames: usedBefore },
    used,
    resolved,
    ports,
  )
  const snapshot = { containers }
  const none = { steps: [], warnings: [] }
  await refuseLinks({ request, project, engine, snapshot, plan: none, prefetch: none })
  const parents = parentIds(whole, service, containers)
  await enterJoined(Object.values(parents), request, engine, ports)
  await refuseSharedMounts(request, { project, changes: null, containers }, engine, ports)
  if (request.dependencies) checkDependencies(whole, service, containers)
  const owners = await imageOwners(stack.hostId, ports)
  const images = { resolved, owners, pinned: new Set<string>() }
  const uses = {
    loaded: { ...loaded, references: used },
    whole: project,
    containers,
    images,
    joined: Object.entries(parents).map(([name, id]) => ({ id, name })),
    steps: [],
    tree: {},
    owned: nothingOwned,
  }
  // Files can be on the host that no deploy judged, such as those that a build wrote.
  const open = await findBeyondSavers({ ...request, files }, uses, usedBefore, engine, ports)
  if (open.length > 0) throw notAccepted(stack.id, open, false)
  const imageId = await imageOfOneOff(
    request,
    project,
    { containers, images, engine },
    signal,
    ports,
  )
  const hooks = serviceOf(whole, service).post_start?.length ? from : undefined
  return { engine, project, apiVersion, imageId, parents, hooks }
}

const userOf = ({ stack, reach, mayDeploy }: OneOffRequest): ImageUser => ({
  stack: stack.id,
  hostId: stack.hostId,
  reach,
  mayDeploy,
  lastImages: stack.images,
})

/** @throws 409 if a network or volume of the service does not exist */
function requireExisting(names: ResourceNames, { networks, volumes }: Resolved): void {
  const missing = [
    ...names.networks.filter((name) => !ownEntry(networks, name)).map((name) => `network ${name}`),
    ...names.volumes.filter((name) => !ownEntry(volumes, name)).map((name) => `volume ${name}`),
  ]
  if (missing.length === 0) return
  throw conflict(`${missing.join(', ')}: does not exist on the host: deploy the service first`, {
    reason: 'conflict',
  })
}

interface OneOffFacts {
  containers: readonly ObservedContainer[]
  images: ImageFacts
  engine: Engine
}

/** Returns the ID of the image, which it pulls if it is missing. */
async function imageOfOneOff(
  request: OneOffRequest,
  project: Project,
  { containers, images, engine }: OneOffFacts,
  signal: AbortSignal,
  ports: OneOffPorts,
): Promise<string> {
  const { stack, service } = request
  const foreign = await checkImageAccess(project, images, userOf(request), ports)
  const evidence = { project, foreign, recorded: stack.images ?? {}, accepted: [] }
  const decided = decideImages(evidence, { containers: [...containers] }, images.resolved)
  const image = imageOf(project, service)
  const found = ownEntry(decided.resolved.images, image)?.id
  if (found !== undefined) return found
  const { build, platform } = serviceOf(project, service)
  if (build) {
    throw conflict(`image ${image}: it is not built yet: deploy service ${service} first`, {
      reason: 'conflict',
    })
  }
  const about = { index: 0, after: [], reason: 'no image', service }
  const pull = { ...about, action: 'pull', kind: 'image', name: image, platform } as const
  const how = { user: userOf(request), accepted: { bases: [], all: false } }
  const { id } = await fetchImage(pull, how, engine, signal, ports)
  if (id !== undefined) return id
  throw notFound(`No such image: ${image}`)
}
