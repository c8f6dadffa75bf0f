import type { NewAuditRow } from './audit-row.ts'
import type { DeploymentStatus } from './deployment.ts'
import type { DeploymentKind } from './deployment-kinds.ts'
import type { HeldBackImage } from './held-back-image.ts'
import type { StackFiles } from './stack-files.ts'
import type { StackSource } from './stack-source.ts'
import type { ServiceVerb } from './stack-state.ts'
import type {
  OpenCheckpoint,
  OpenUpdate,
  StackUpdate,
  UpdateCause,
  UpdateUndo,
} from './stack-update.ts'
import type { UpdatePolicy } from './update-policy.ts'

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
  /**
   * Mounts of the directory, such as `./data`, whose data the client did not send: until the host
   * has them, a deploy warns that they start without it. Missing means none.
   */
  unsentData?: string[] | undefined
  /** The overlay applied by the last deploy. */
  environment: string | null
  /** The profiles of the last deploy; missing means none. */
  profiles?: string[]
  /** Counts the changes of the files. The API calls it `revision`. */
  contentRevision: number
  /** The files of earlier revisions, the newest first. Missing before the second revision. */
  earlier?: EarlierRevision[] | undefined
  /** The files that were last written into the directory; null if none were. */
  written: StackFiles | null
  /** Paths of the files that a restore put into the directory. Missing after a deploy wrote. */
  restoredPaths?: string[] | undefined
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
  last: LastDeployment | null
  /** What users last did to services; missing means nothing. */
  verbs?: Record<string, ServiceVerb>
  /** Set when a deploy begins to change containers, and cleared by a stop. */
  deployed: boolean
  /** It was taken down, and nothing brought it up since. */
  down?: boolean
  /**
   * A deploy began, so that networks, volumes and files on the host can be its own. Missing in
   * records of earlier versions and before the first deploy.
   */
  begun?: boolean
  /**
   * Its host did not respond when it was created, so that the directory can have files of others:
   * its first deploy looks. Missing if none were there, or if an account with access to the host
   * created it.
   */
  mayHaveForeignFiles?: boolean
  /**
   * Everything that it has on its host was recorded when it was made; see `predatesOwners`. Set by
   * the first deploy, or by the restore that created it. Missing in records of earlier versions and
   * in those of adopted stacks.
   */
  recordsOwners?: boolean
  /**
   * Normal name of an image → the ID that the last deployment decided on. Missing before the first
   * one.
   */
  images?: Record<string, string>
  /** Normal name of an image → its last build. Missing in records of earlier versions. */
  builds?: Record<string, ImageBuild>
  /**
   * Normal names of images built by other stacks that builds of this stack may use as base images.
   */
  acceptedBases?: string[]
  createdAt: number
  updatedAt: number
  deployedAt: number | null
  /**
   * The revision of the last deploy of the whole stack that succeeded; null after it was taken
   * down. Missing in records of earlier versions and before the first one; see
   * `deployedRevisionOf`.
   */
  deployedRevision?: number | null
  /**
   * Set while the policy refuses the stack to the account that last deployed it; see
   * `updatePolicyWarnings`.
   */
  policyWarning?: PolicyWarning | null
  /** The source that it follows. Missing if its files are only kept here. */
  source?: StackSource | undefined
  /** What happens with newer images. Missing means that they are only shown. */
  updatePolicy?: UpdatePolicy | undefined
  /** Why updates by a policy that it inherits may not run. Missing if they may. */
  blockedUpdates?: string | undefined
  /** Images that its updates do not take, the newest first. Missing means none. */
  heldBack?: HeldBackImage[]
  /** The backup that is made before the next update. Missing if there is none. */
  checkpoint?: OpenCheckpoint | undefined
  /** The update that can be undone with its data. Missing if there is none. */
  undo?: UpdateUndo | undefined
  /** The update in progress. Missing if there is none. */
  openUpdate?: OpenUpdate | undefined
  /** How the last update went. Missing if none was judged. */
  update?: StackUpdate | undefined
  /** Audit rows about its updates that are yet to be written, oldest first. Missing means none. */
  unreported?: NewAuditRow[] | undefined
  /**
   * The fence of the lease under which a deployment last changed this record. Writes under an
   * earlier lease are refused. Missing before the first one.
   */
  fence?: number
}

/** What an image was built from. */
export interface ImageBuild {
  /** The ID of the image. The build says nothing of another image with that name. */
  image: string
  files: Pick<StackFiles, 'others' | 'tree'>
  /** Attribute of its `build` → a keyed digest of the value: an argument can be a secret. */
  definition?: Record<string, string>
  /** Tells the key of these digests. Without the one of this store, the definition is not known. */
  keyed?: string
  /** A digest of the texts that the definition was read from. */
  texts?: string
}

/** The files of an earlier revision. */
export interface EarlierRevision {
  revision: number
  files: StackFiles
}

/** The most recent deployment of a stack. Earlier versions recorded only its ID and status. */
export interface LastDeployment {
  deploymentId: string
  status: DeploymentStatus
  kind?: DeploymentKind
  /** The beginning of its error. */
  error?: string | null
  /** Milliseconds since the epoch. */
  finishedAt?: number | null
  /**
   * It began to change containers, so that the stack's record already describes what it deploys.
   */
  applied?: boolean
  /** The services that it changes; missing means all. */
  affected?: string[]
  /** The service began it by itself: to take newer images, or to take that back. */
  cause?: UpdateCause
  /** The stack was rolled back, and nothing was deployed since. */
  isRolledBack?: true
  /**
   * Set if it says nothing of the stack as a whole (see `judgesStack`), or if it is an update:
   * whether the last one that does failed.
   */
  failedBefore?: boolean
}

/**
 * Returns whether the last deployment failed that was about the stack as a whole. One that runs has
 * not failed.
 */
export const hasFailed = (last: LastDeployment | null): boolean =>
  last?.failedBefore ?? (last?.status === 'failed' || last?.status === 'interrupted')

/** Where the policy refuses a stack without `stacks:privileged`, for one revision of its files. */
export interface PolicyWarning {
  /** File, line and path. */
  place: string
  contentRevision: number
}

/** Returns whether a stack was deployed or adopted, so that things on its host can be its own. */
export const wasEverDeployed = ({
  deployed,
  begun,
  deployedAt,
  adopted,
  written,
}: StackRecord): boolean =>
  deployed || begun === true || deployedAt !== null || adopted || written !== null

/** Returns whether the files in the directory of a stack are its own. */
export const hasOwnDirectory = (stack: StackRecord): boolean =>
  stack.mayHaveForeignFiles !== true || wasEverDeployed(stack)

/**
 * Returns whether a stack can have things on its host that are not recorded for it: an earlier
 * version deployed it, or it was adopted. Only then do labels that name it prove anything. A stack
 * that was only given the name of a project has nothing of that project.
 */
export const predatesOwners = (stack: StackRecord): boolean =>
  wasEverDeployed(stack) && stack.recordsOwners !== true

/** What the status of a stack expects of one service. */
export interface ServiceExpectation {
  containers: number
  /** The service does one task and ends, so a container that exited with 0 is as expected. */
  job: boolean
  image: string
  /** No deploy has brought it up: each left it out. */
  inactive?: boolean
}
