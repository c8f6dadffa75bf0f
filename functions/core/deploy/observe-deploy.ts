import { retagSources } from '../../compose/plan/fetch/retags.ts'
import type { Resolved, Snapshot } from '../../compose/snapshot.ts'
import { collectReferences } from '../../compose/used-resources.ts'
import { imageOwners } from '../images/image-owners.ts'
import type { Engine } from '../ports/engine.ts'
import { markHandled } from '../promises.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import type { Owner } from '../records/owner.ts'
import { type FoundDrift, findDrift } from '../stacks/drift.ts'
import { type HostOwned, hostOwned, nothingOwned } from '../stacks/host-owned.ts'
import { hasTree } from '../stacks/load-project.ts'
import { deploySnapshot } from './deploy-snapshot.ts'
import { type LoadedSelection, loadSelected } from './load-selected.ts'
import type { DeploymentRequest, PreparePorts } from './request.ts'

/** A request for a deploy, its project, and what exists on its host. */
export interface DeployFacts extends LoadedSelection {
  request: DeploymentRequest
  engine: Engine
  /** When planning began, in milliseconds since the epoch. */
  startedAt: number
  apiVersion: string
  snapshot: Snapshot
  /** The names in the project that may exist on the host. */
  names: ReturnType<typeof collectReferences>
  /** Which of them exist there. */
  onHost: Resolved
  /** The stacks that own names of images on the host. */
  owners: ReadonlyMap<string, Owner>
  /** Files that others changed on the host. */
  drifted: FoundDrift[]
  /** The paths in the stack's directory that containers can write. */
  owned: HostOwned
}

/**
 * Loads the project of a deploy, rollback or scale, and looks at the host at the same time.
 *
 * @throws what `loadSelected` throws, and 500 if the Engine does not respond
 */
export async function observeDeploy(
  request: DeploymentRequest,
  engine: Engine,
  ports: PreparePorts,
): Promise<DeployFacts> {
  const { stack, files, options } = request
  const startedAt = ports.clock.now()
  const selecting = loadSelected(request, ports)
  // Containers can own only files of a tree. Without one, the drift need not wait for the project.
  const owning =
    hasTree(files) || hasTree(stack.written)
      ? markHandled(
          selecting.then(({ loaded: { project, read } }) => hostOwned(project, Object.keys(read))),
        )
      : nothingOwned
  const [selection, apiVersion, observed, drifted, owners] = await Promise.all([
    selecting,
    engine.apiVersion(),
    engine.observe(stack.id),
    rulesOf(request).writes ? findDrift(stack, files, engine, ports, owning) : [],
    imageOwners(stack.hostId, ports),
  ])
  const snapshot = await deploySnapshot(observed, selection.project, options, engine)
  const used = collectReferences(selection.whole, stack.keptVolumes)
  const sources = retagSources(selection.project, options.retag)
  const names = { ...used, images: [...used.images, ...sources] }
  const onHost = await engine.resolve(names)
  const asked = { request, engine, startedAt }
  const found = { apiVersion, snapshot, names, onHost, owners, drifted, owned: await owning }
  return { ...asked, ...selection, ...found }
}
