import type { Project } from '../../compose/project.ts'
import type { Snapshot } from '../../compose/snapshot.ts'
import type { Engine } from '../ports/engine.ts'
import type { DeployOptions } from '../records/deployment.ts'
import { withStartTimes } from './start-times.ts'
import { withTakenOver } from './taken-over.ts'

/** Returns all that a deploy plans from, of what the Engine shows of a project. */
export async function deploySnapshot(
  observed: Snapshot,
  project: Project,
  options: Pick<DeployOptions, 'takeOver'>,
  engine: Engine,
): Promise<Snapshot> {
  const all = await withTakenOver(observed, project, options, engine)
  return withStartTimes(all, project, engine)
}
