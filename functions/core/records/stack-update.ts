import type { NewAuditRow } from './audit-row.ts'

/** The image of a service before an update and after it. */
export interface UpdatedImage {
  service: string
  /** The image as the files name it. */
  reference: string
  /** Its normal name. */
  name: string
  /** The digest that the update takes. */
  digest: string
  /** What the service ran before: a repository digest or the ID of an image. */
  before: string
}

/** Why the service began a deployment by itself. */
export const updateCauses = ['update', 'update_rollback'] as const
export type UpdateCause = (typeof updateCauses)[number]

/** The backup that was made before an update. */
export interface UpdateCheckpoint {
  runId: string
  /** The account that restores it, with the rights as of then. */
  by: UndoAuthor
}

/** An account with the rights that it had when it began something that later work takes back. */
export interface UndoAuthor {
  accountId: string
  username: string
  permissions: string[]
  scopeTags: string[]
}

/** What was wrong with a service: a health check that failed, or a container that had ended. */
export type ServiceFault = 'unhealthy' | 'ended'

/** What was wrong with services right before an update: service → fault. */
export type FaultsBefore = Record<string, ServiceFault>

/** A backup that is made before an update begins. */
export interface OpenCheckpoint {
  runId: string
  jobId: string
  /** The revision of the files that it has. */
  contentRevision: number
  /** The last deployment before it. */
  deploymentId: string | null
  /** Its run can restart services. Missing in records of earlier versions. */
  faultsBefore?: FaultsBefore
}

/** The last update of which the data from before can be restored. */
export interface UpdateUndo {
  deploymentId: string
  /** The backup run with the data. */
  runId: string
  /** When the update began. Milliseconds since the epoch. */
  at: number
  /** The revision of the files that it deployed. */
  contentRevision: number
  /** The ID of the deployment that changed the stack later, so that nothing is to be undone. */
  replacedBy?: string
}

/** The images that a deployment changes which the service began by itself. */
export interface DeploymentUpdate {
  images: UpdatedImage[]
  /** The audit row that says that it began. Missing in records of earlier versions. */
  row?: NewAuditRow
  /** Says nothing of the images. Missing in records of earlier versions. */
  faultsBefore?: FaultsBefore
  /** Missing without a backup that was made before. */
  checkpoint?: UpdateCheckpoint
  /** The ID of the update that is taken back. Missing if this deployment takes newer images. */
  undoes?: string
}

/** An update that is in progress: it is deployed, watched or taken back. */
export interface OpenUpdate {
  /** The ID of the deployment that takes newer images. */
  deploymentId: string
  /** The services that it changes. */
  services: string[]
  /** It began to change containers. */
  applied?: true
  /** The ID of the last deployment that takes it back. Missing before the first one. */
  rollbackId?: string
  /** Missing without a backup that was made before: only images are taken back then. */
  checkpoint?: UpdateCheckpoint
  /** The ID of the last run that restores the data from before. Missing before the first one. */
  restoreId?: string
}

/**
 * `bad`: it is taken back. `failed`: it changed no container. `unknown`: it could not be judged.
 * The next one waits after each but a good one.
 */
export const updateOutcomes = ['good', 'bad', 'failed', 'unknown'] as const

/** How the last update of a stack went. Times are milliseconds since the epoch. */
export interface StackUpdate {
  /** The ID of the deployment that took newer images; null if it could not begin. */
  deploymentId: string | null
  outcome: (typeof updateOutcomes)[number]
  /** Why it was not good; null if it was. */
  reason: string | null
  /** When that was known. */
  at: number
  /** Missing unless an account undid it. */
  undoneBy?: string
  /** Only of one that was bad, or that an account undid. */
  rollback?: UpdateRollback
}

/** `replaced`: someone else changed the services first, so nothing is taken back. */
export const rollbackStates = ['due', 'done', 'failed', 'replaced'] as const

/** How an update is taken back. */
export interface UpdateRollback {
  state: (typeof rollbackStates)[number]
  /** How often it was begun. */
  attempts: number
  /** It is not begun before. */
  nextAt: number
  /** Why the last attempt failed; null if none did. */
  error: string | null
}

/** Returns why the service began a deployment by itself; undefined if someone asked for it. */
export const causeOf = (update: DeploymentUpdate | undefined): UpdateCause | undefined =>
  update && (update.undoes === undefined ? 'update' : 'update_rollback')
