import type { Reach } from '../compose/project.ts'

/** A compose project on one host, as it is kept. Its name is the project's name. Times are milliseconds. */
export interface StackRecord {
  /** The stack's name, unique over all hosts. */
  id: string
  hostId: string
  /** Where its files live on the host. */
  directory: string
  /** True for a project that was running before it was managed: it keeps its own directory. */
  adopted: boolean
  /** Its compose files in merge order, as they are named in the directory; `compose.yaml` alone unless it was adopted. */
  composeFiles?: string[]
  /** The digests under which the texts are kept; see the port `Texts`. */
  files: StackFiles
  /** The overlay applied by the last deploy. */
  environment: string | null
  /** Counts the changes of the files; what callers send back as `revision`. */
  contentRevision: number
  /** What was last written into the directory; nothing when nothing was. */
  written: StackFiles | null
  /** Anonymous volumes of containers that a stop removed: `service/number:path` → volume name. */
  keptVolumes: Record<string, string>
  /**
   * Absolute paths in the directory that containers of this stack can write, or could in an earlier
   * deployment: they may have created links there. Missing in records of earlier versions.
   */
  writable?: string[]
  /** Service → what is expected of it, as the project was last loaded. */
  services: Record<string, ServiceExpectation>
  /** What the last deploy, stop or restart was and how it ended. */
  last: { deploymentId: string; status: DeploymentStatus } | null
  /** Set once a deploy began and cleared by a stop. */
  deployed: boolean
  /**
   * Normal name of an image → the ID that the last deployment decided on; missing before the first.
   */
  images?: Record<string, string>
  /** Normal names of other stacks' builds that builds of this one may begin with. */
  acceptedBases?: string[]
  createdAt: number
  updatedAt: number
  deployedAt: number | null
  /**
   * Set while the policy refuses the stack to the account that last deployed it; see `judgeStacks`.
   */
  policyWarning?: PolicyWarning | null
  /**
   * The fence of the lease under which a deployment last changed this record: writes under an
   * earlier one are refused. Missing before the first.
   */
  fence?: number
}

/** Where the policy refuses a stack without `stacks:privileged`, for one revision of its files. */
export interface PolicyWarning {
  /** File, line and path. */
  place: string
  contentRevision: number
}

/** True for a stack that was deployed or adopted: some of what is on its host can be its own. */
export const wasUp = ({ deployed, deployedAt, adopted, written }: StackRecord): boolean =>
  deployed || deployedAt !== null || adopted || written !== null

/** What a stack's status is measured by, for one service. */
export interface ServiceExpectation {
  containers: number
  /** It does one thing and ends: a container that exited 0 is as it should be. */
  job: boolean
  image: string
}

/** Digests of a stack's texts: what a deployment keeps in order to be repeated. */
export interface StackFiles {
  compose: string
  /** `.env`, or none. Kept encrypted. */
  env: string | null
  /** Environment name → digest of `compose.<name>.yaml`. */
  overlays: Record<string, string>
  /** Other files of the stack: path → what stands for it; see `keepOther`. */
  others: Record<string, string>
}

export type DeploymentStatus = 'running' | 'succeeded' | 'failed' | 'interrupted'

/** What a deployment does: stops and restarts are recorded alike so that a dead process leaves a trace of each. */
export type DeploymentKind = 'deploy' | 'rollback' | 'stop' | 'restart' | 'remove'

/** True for what brings a project up from files. */
export const bringsUp = (kind: DeploymentKind) => kind === 'deploy' || kind === 'rollback'

/** One run of a plan on a host. Times are milliseconds. */
export interface Deployment {
  /** UUIDv7: sorts by time. */
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
  /** User name of who asked. */
  by: string
  /** The fence of the lease under which it was last written; missing in records of earlier versions. */
  fence?: number
  /** What it may access; missing in records of earlier versions. */
  reach?: Reach
  steps: StepReport[]
  /** Service → image digest or id that it ran with. */
  images: Record<string, string>
  /** What a person should know, from the files, the plan and the Engine; records of earlier versions have none. */
  warnings?: string[]
}

export interface DeployOptions {
  pull: 'missing' | 'always' | 'never' | null
  forceRecreate: boolean
  removeOrphans: boolean
  /** Accept the images that names point to on the host, even if something else moved the names. */
  acceptImages?: boolean
  /** Files that were edited on the host are overwritten; else they keep a deploy from happening. */
  overwriteDrift?: boolean
  /** Services that a restart is limited to; none means all. */
  services: string[]
  /** Remove the volumes too; only for `remove`. */
  volumes: boolean
  /** Service → the digest or id of the image that it is to run with; only for `rollback`. */
  images?: Record<string, string>
}

/** How far a step of the plan is. `ms` is what it took. */
export interface StepReport {
  action: string
  kind: string
  name: string
  reason: string
  status: 'pending' | 'running' | 'done' | 'failed' | 'skipped'
  ms: number | null
}
