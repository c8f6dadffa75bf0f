/**
 * A request that was sent with an `Idempotency-Key`, kept for a day so that it runs once however
 * often it is sent. Times are in milliseconds since the epoch.
 */
export interface IdempotentRequest {
  /** SHA-256, in hex, of who sent it and of the key. */
  id: string
  /** SHA-256, in hex, of the route, the path, the query, the body and `If-Match`. */
  fingerprint: string
  /** SHA-256, in hex, of the role, the permissions and the scope of who sent it. */
  rights: string
  /** The `X-Request-Id` of the request that ran, which its log entries and audit rows have. */
  requestId: string
  startedAt: number
  /**
   * Its process renews this time while it runs. If the time has passed and there is no response,
   * the process ended in the middle. It only decides between two messages: no clock makes a request
   * run twice.
   */
  heldUntil: number
  /** Renewed too, so that the key is not free while the request runs. */
  expiresAt: number
  /** What was sent, once it has ended. Without the headers that differ in each response. */
  response?: KeptResponse
}

export interface KeptResponse {
  statusCode: number
  headers: Record<string, string>
  /** Null if it was too large to keep, or had a secret that is shown only once. */
  body: string | null
  hadSecret?: true
}
