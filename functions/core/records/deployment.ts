import type { Reach } from '../../compose/project.ts'
import type { Reason } from '../errors.ts'
import type { AuditTrail } from './audit-row.ts'
import type { DeploymentKind } from './deployment-kinds.ts'
import type { StackFiles } from './stack-files.ts'
import type { DeployedSource } from './stack-source.ts'
import type { DeploymentUpdate } from './stack-update.ts'

export type DeploymentStatus = 'running' | 'succeeded' | 'failed' | 'interrupted'

/** One run of a plan on a host. Times are in milliseconds since the epoch. */
export interface Deployment {
  /** A UUIDv7, which sorts by time. */
  id: string
  kind: DeploymentKind
  stack: string
  hostId: string
  environment: string | null
  /** The profiles that were active; missing means none. */
  profiles?: string[]
  contentRevision: number
  files: StackFiles
  options: DeployOptions
  status: DeploymentStatus
  error: string | null
  /** Why it failed, where that is known. Missing in records of earlier versions. */
  reason?: Reason | undefined
  /**
   * Set if the request was answered before the deployment ended, until the audit row of its end is
   * written.
   */
  unaudited?: AuditTrail | undefined
  startedAt: number
  finishedAt: number | null
  /** Name of the user who started it, or made what started it. */
  by: string
  /** The ID of that user's account. Missing in records of earlier versions. */
  accountId?: string
  /**
   * The fence of the lease under which it was last written. Missing in records of earlier versions.
   */
  fence?: number
  /** What it may access; missing in records of earlier versions. */
  reach?: Reach
  /** What its user may access, where that is not `reach`. */
  entererReach?: Reach
  /**
   * The stacks whose volumes, networks or images it uses because its user may deploy them. It may
   * still use them when it is resumed. Missing in records of earlier versions.
   */
  mayUse?: string[]
  steps: StepReport[]
  /** Service → the digest or ID of the image that it ran with. */
  images: Record<string, string>
  /** References of the images that it is to run; read only while it runs. May be missing. */
  plannedImages?: string[]
  /** The services that it changes; missing means all. */
  affected?: string[]
  /**
   * Warnings for the user, from the files, the plan and the Engine. Missing in records of earlier
   * versions.
   */
  warnings?: string[]
}

export interface DeployOptions {
  pull: 'missing' | 'always' | 'never' | null
  /** Which images a deploy builds; missing means those that `pull_policy` says. */
  build?: 'missing' | 'always'
  forceRecreate: boolean
  removeOrphans: boolean
  /** Accepts the images that names point to on the host, even if something else moved the names. */
  acceptImages?: boolean
  /** Overwrites files that were edited on the host; without it such files make a deploy fail. */
  overwriteDrift?: boolean
  /** Names of uses that the user accepted for a saver who may not have them; see `RefusedUse`. */
  acceptReferences?: string[]
  /** The services that the operation names; empty for all. */
  services: string[]
  /** How long a container may take to stop, in seconds, instead of its own stop timeout. */
  timeoutSeconds?: number
  /** Whether a deploy of named services leaves out the services that they depend on. */
  withoutDependencies?: boolean
  /** Whether a deploy only creates containers. */
  withoutStart?: boolean
  /** Whether a deploy also creates the networks and volumes that no service uses. */
  allResources?: boolean
  /** Replaces containers of no project that have the `container_name` of a service. */
  takeOver?: boolean
  /** Builds without the results of earlier builds; only for `build`. */
  noCache?: boolean
  /** The number of containers that services get: service → number; only for deploy and scale. */
  replicas?: Record<string, number>
  /** Which images a `down` also removes; missing means none. */
  removeImages?: 'local' | 'all'
  /** Also removes the volumes; only for `remove` and `down`. */
  volumes: boolean
  /** The ID of the deployment that a rollback deploys again. Missing in earlier records. */
  rolledBackTo?: string
  /** Service → the digest or ID of the image to run; only for `rollback`. */
  images?: Record<string, string>
  /**
   * Reference of an image that is not built, as the files name it → the image that gets this name
   * before anything else: a repository digest or an ID. With it, no other image is pulled or built
   * unless it is missing, and services that share a network with those of `services` go with them.
   * Only for `deploy`. Missing in records of earlier versions.
   */
  retag?: Record<string, string>
  /** Set if the service began it by itself. */
  update?: DeploymentUpdate
  /** Set if a request to the hook of the stack asked for it. */
  byHook?: true
  /** Set if it follows the source of the stack. */
  source?: DeployedSource
  /** What the newest files were taken from, if a user deployed the whole stack with them. */
  taken?: DeployedSource
}

/** The progress of a step. `ms` is its duration. */
export interface StepReport {
  action: string
  kind: string
  name: string
  reason: string
  status: 'pending' | 'running' | 'done' | 'failed' | 'skipped'
  ms: number | null
  /** Why it failed. */
  error?: string
  /**
   * How the image of a container that is replaced changes, missing if the name stays; or which
   * image a name gets, missing if it had none or the same.
   */
  image?: { before: string; after: string }
  /** How much of an image is downloaded; only while it is pulled. */
  progress?: StepProgress
}

/** Bytes that are downloaded, of those that are known to be needed. */
export interface StepProgress {
  current: number
  total: number
}
