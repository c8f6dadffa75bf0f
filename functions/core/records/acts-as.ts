/**
 * The account that work acts as which runs later, without a caller: who saved the work, and what it
 * was about then. Times are milliseconds since the epoch.
 */
export interface ActsAs {
  /**
   * Null for work that a version without this record saved, if the audit log does not say who did:
   * it acts as the service, and stays as it is until someone saves it.
   */
  accountId: string | null
  /** The name of the account; null if `accountId` is. */
  username: string | null
  /** When the work was saved. */
  since: number
  /** The stacks that it is about. */
  stacks: BoundStack[]
  /** Why it may not run, as a phrase; null if it may. */
  blocked: string | null
}

/** A stack by its creation: one that gets the same name later is another one. */
export interface BoundStack {
  name: string
  /** Null if there was no stack of that name. */
  createdAt: number | null
}
