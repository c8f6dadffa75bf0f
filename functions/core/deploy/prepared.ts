import type { PlacedClaim } from '../../compose/load/placed-claims.ts'
import type { MovedImage } from '../../compose/plan/fetch/moved-images.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import type { Project } from '../../compose/project.ts'
import type { Resolved, Snapshot } from '../../compose/snapshot.ts'
import type { NameChanges } from '../images/name-changes.ts'
import type { SharedName } from '../owners/taken-names.ts'
import type { Engine } from '../ports/engine.ts'
import type { OwnedName } from '../records/owner.ts'
import type { ServiceExpectation } from '../records/stack.ts'
import type { FoundDrift } from '../stacks/drift.ts'
import type { CreatedPath } from './check-paths.ts'
import type { HostChanges } from './host-changes.ts'
import type { DeploymentRequest } from './request.ts'
import type { StaleService } from './stale-mounts.ts'
import type { ScaleReset } from './warnings.ts'

/** Something that files use although an account that saved them may not. */
export interface UseBeyondSaver {
  /** How a caller accepts it; see `RefusedUse`. */
  name: string
  text: string
}

/** A deployment that was checked and planned. Nothing has changed yet. */
export interface PreparedDeployment {
  request: DeploymentRequest
  engine: Engine
  snapshot: Pick<Snapshot, 'containers'>
  /** Which of the names in the project exist on the host; null if they were not looked up. */
  resolved: Resolved | null
  /** All steps, as far as they can be known now. */
  plan: Plan
  /** The pulls and builds that the rest of the plan depends on; empty for most deployments. */
  prefetch: Plan
  /**
   * Returns the plan of the remaining steps, made from what exists after the pulls and builds.
   *
   * @param fetched reference → ID of each image that they fetched
   * @throws 409 if an image that the plan needs moved in the meantime
   */
  planRest(fetched: ReadonlyMap<string, string>): Promise<Plan>
  /** For the step that writes files; null if the deployment writes none. */
  changes: HostChanges | null
  /**
   * Files on the host that were changed by others and that differ from what the deployment would
   * write.
   */
  drift: FoundDrift[]
  /** Images that moved on the host and that this deployment does not fetch. */
  moved: MovedImage[]
  /** The images to record for the stack: normal name → ID; null to record nothing. */
  images: Record<string, string> | null
  /** The image names to record the stack as the owner of, and those that it no longer builds. */
  imageNames: NameChanges
  project: Project | null
  /** The expectations for all services afterwards; null if they stay as they are. */
  expected: Record<string, ServiceExpectation> | null
  /** Binds of paths that do not exist, which the Engine creates as empty directories. */
  created: CreatedPath[]
  /** The services that keep the old content of files until they are restarted or built. */
  stale: StaleService[]
  /** Names that the containers get in networks of others, where another container has them. */
  shared: SharedName[]
  /** What the files use although an account that saved them may not. */
  beyondSavers: UseBeyondSaver[]
  /** The names and ports of the host that the services need, with their places in the files. */
  claims: readonly PlacedClaim[]
  /** The services that users scaled and that the deployment sets back to the count in the files. */
  resets: ScaleReset[]
  /** Warnings for the caller: from loading the project, and of what the steps do. */
  warnings: string[]
  /**
   * Checks again that the stack may use what it refers to. Returns the names to record as its own.
   */
  checkOwners(): Promise<OwnedName[]>
}

/**
 * Returns the plan that runs first: the pulls and builds that the rest depends on, or the whole
 * plan.
 */
export const firstPlan = ({ prefetch, plan }: PreparedDeployment): Plan =>
  prefetch.steps.length > 0 ? prefetch : plan
