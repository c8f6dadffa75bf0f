/** A user's request to stop a deployment before its next step. */
export interface CancelRequest {
  /** Name of the user. */
  by: string
  /** Milliseconds since the epoch. */
  at: number
}
