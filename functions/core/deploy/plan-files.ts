import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackTree } from '../records/stack-tree.ts'
import { driftAgainst, type FoundDrift } from '../stacks/drift.ts'
import { allFiles } from '../stacks/texts.ts'
import { type HostChanges, hostChanges } from './host-changes.ts'
import type { DeployFacts } from './observe-deploy.ts'
import { refuseTreeLinks } from './refuse-tree-links.ts'
import type { DeploymentRequest } from './request.ts'

/** What a deploy does to the stack's directory. */
export interface PlannedFiles {
  /** All files that the stack should have. */
  desired: StackTree
  /** Files that others changed on the host and that differ from what the stack should have. */
  drift: FoundDrift[]
  changes: HostChanges
}

/** Returns the files of a deployment that changes none. */
export async function noFileChanges(
  { stack, files }: DeploymentRequest,
  ports: Needs<'texts'>,
): Promise<PlannedFiles> {
  const desired = await allFiles(files, stack, ports)
  return { desired, drift: [], changes: { write: {}, remove: [], written: files } }
}

/**
 * Decides which files a deployment writes and removes.
 *
 * @throws 403 if a link of the stack leads out of its directory
 */
export async function planFiles(
  request: DeploymentRequest,
  { drifted, owned }: Pick<DeployFacts, 'drifted' | 'owned'>,
  engine: Engine,
  ports: Needs<'texts'>,
): Promise<PlannedFiles> {
  const { stack, files } = request
  const desired = await allFiles(files, stack, ports)
  const drift = driftAgainst(drifted, desired)
  refuseTreeLinks(request, desired, owned)
  const changes = await hostChanges(request, { desired, drift, owned, engine }, ports)
  return { desired, drift, changes }
}
