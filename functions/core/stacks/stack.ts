import type { Reach } from '../compose/project.ts'

/**
 * The stored record of a stack: a compose project on one host. Its name is the name of the project.
 * Times are in milliseconds since the epoch.
 */
export interface StackRecord {
  /** The name of the stack, unique across all hosts. */
  id: string
  hostId: string
  /** The directory of its files on the host. */
  directory: string
  /** The project ran before it became a stack, and keeps its directory. */
  adopted: boolean
  /**
   * Names of the compose files in the directory, in merge order. Only adopted stacks have any but
   * `compose.yaml`.
   */
  composeFiles?: string[]
  /** Digests of the stored texts; see the port `Texts`. */
  files: StackFiles
  /**
   * The ID of the adoption or restore that last wrote `files`, if there was one. Edits keep it.
   */
  filesFrom?: string
  /** The overlay applied by the last deploy. */
  environment: string | null
  /** Counts the changes of the files. The API calls it `revision`. */
  contentRevision: number
  /** The files that were last written into the directory; null if none were. */
  written: StackFiles | null
  /** Anonymous volumes of containers that a stop removed: `service/number:path` → volume name. */
  keptVolumes: Record<string, string>
  /**
   * Absolute paths in the directory that containers of this stack can write, or could in an earlier
   * deployment: they may have created links there. Missing in records of earlier versions.
   */
  writable?: string[]
  /** Service → what is expected of it, according to the last load of the project. */
  services: Record<string, ServiceExpectation>
  /** The most recent deployment and its status. */
  last: { deploymentId: string; status: DeploymentStatus } | null
  /** Set when a deploy begins and cleared by a stop. */
  deployed: boolean
  /**
   * Normal name of an image → the ID that the last deployment decided on. Missing before the first
   * one.
   */
  images?: Record<string, string>
  /**
   * Normal names of images built by other stacks that builds of this stack may use as base images.
   */
  acceptedBases?: string[]
  createdAt: number
  updatedAt: number
  deployedAt: number | null
  /**
   * Set while the policy refuses the stack to the account that last deployed it; see `judgeStacks`.
   */
  policyWarning?: PolicyWarning | null
  /**
   * The fence of the lease under which a deployment last changed this record. Writes under an
   * earlier lease are refused. Missing before the first one.
   */
  fence?: number
}

/** Where the policy refuses a stack without `stacks:privileged`, for one revision of its files. */
export interface PolicyWarning {
  /** File, line and path. */
  place: string
  contentRevision: number
}

/** Returns whether a stack was deployed or adopted, so that things on its host can be its own. */
export const wasUp = ({ deployed, deployedAt, adopted, written }: StackRecord): boolean =>
  deployed || deployedAt !== null || adopted || written !== null

/** What the status of a stack expects of one service. */
export interface ServiceExpectation {
  containers: number
  /** The service does one task and ends, so a container that exited with 0 is as expected. */
  job: boolean
  image: string
}

/** Digests of a stack's texts. A deployment stores them so that it can be repeated. */
export interface StackFiles {
  compose: string
  /** The digest of `.env`, or null if there is none. */
  env: string | null
  /** Environment name → digest of `compose.<name>.yaml`. */
  overlays: Record<string, string>
  /** Other files of the stack: path → reference; see `keepOther`. */
  others: Record<string, string>
}

export type DeploymentStatus = 'running' | 'succeeded' | 'failed' | 'interrupted'

/**
 * What a deployment does. Stops, restarts and removals are recorded too, so that recovery finds
 * those whose process died.
 */
export type DeploymentKind = 'deploy' | 'rollback' | 'stop' | 'restart' | 'remove'

/** Returns whether a deployment deploys a project from files. */
export const bringsUp = (kind: DeploymentKind) => kind === 'deploy' || kind === 'rollback'

/** One run of a plan on a host. Times are in milliseconds since the epoch. */
export interface Deployment {
  /** A UUIDv7, which sorts by time. */
  id: string
  kind: DeploymentKind
  stack: string
  hostId: string
  environment: string | null
  contentRevision: number
  files: StackFiles
  options: DeployOptions
  status: DeploymentStatus
  error: string | null
  startedAt: number
  finishedAt: number | null
  /** Name of the user who started it. */
  by: string
  /**
   * The fence of the lease under which it was last written. Missing in records of earlier versions.
   */
  fence?: number
  /** What it may access; missing in records of earlier versions. */
  reach?: Reach
  steps: StepReport[]
  /** Service → the digest or ID of the image that it ran with. */
  images: Record<string, string>
  /**
   * Warnings for the user, from the files, the plan and the Engine. Missing in records of earlier
   * versions.
   */
  warnings?: string[]
}

export interface DeployOptions {
  pull: 'missing' | 'always' | 'never' | null
  forceRecreate: boolean
  removeOrphans: boolean
  /** Accepts the images that names point to on the host, even if something else moved the names. */
  acceptImages?: boolean
  /** Overwrites files that were edited on the host; without it such files make a deploy fail. */
  overwriteDrift?: boolean
  /** The services to restart; empty for all. */
  services: string[]
  /** Also removes the volumes; only for `remove`. */
  volumes: boolean
  /** Service → the digest or ID of the image to run; only for `rollback`. */
  images?: Record<string, string>
}

/** The progress of a step. `ms` is its duration. */
export interface StepReport {
  action: string
  kind: string
  name: string
  reason: string
  status: 'pending' | 'running' | 'done' | 'failed' | 'skipped'
  ms: number | null
}
