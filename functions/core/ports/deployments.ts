import type { CancelRequest } from '../records/cancel-request.ts'
import type { Deployment } from '../records/deployment.ts'
import type { TimeRange } from '../records/time-range.ts'

/** A filter for deployments, which may name a time range in which they began. */
export interface DeploymentQuery extends TimeRange {
  /** Only deployments for which it returns true. The limit counts these. */
  where?: (deployment: Deployment) => boolean
}

export interface Deployments {
  find(stack: string, id: string): Promise<Deployment | undefined>
  /** Returns deployments of a stack, newest first. */
  listByStack(stack: string, limit: number, query?: DeploymentQuery): Promise<Deployment[]>
  create(deployment: Deployment): Promise<void>
  /**
   * Replaces the whole record. Returns false, and changes nothing, if the record was removed or was
   * written under a later lease: a larger `fence`.
   */
  save(deployment: Deployment): Promise<boolean>
  /**
   * Returns all deployments with status `running`, whether or not their process is alive. One that
   * began at this moment may be missing.
   */
  listRunning(): Promise<Deployment[]>
  /** Returns all deployments that have ended and are still marked as `unaudited`. */
  listUnaudited(): Promise<Deployment[]>
  removeByStack(stack: string): Promise<void>
  /** Returns the ids of all deployments of a stack, newest first. */
  listIds(stack: string): Promise<string[]>
  /**
   * Removes a deployment. Returns false, and changes nothing, if it is running, is marked as
   * `unaudited` or does not exist.
   */
  removeEnded(stack: string, id: string): Promise<boolean>
  /**
   * Stores the request to cancel a deployment, for the process that runs it or takes it over. The
   * first request for a deployment stays.
   */
  requestCancel(stack: string, id: string, request: CancelRequest): Promise<void>
  /** Returns the request to cancel a deployment, or undefined if there is none. */
  findCancelRequest(stack: string, id: string): Promise<CancelRequest | undefined>
}
