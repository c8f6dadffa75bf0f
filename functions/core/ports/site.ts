/** The public addresses of the service. */
export interface Site {
  /** The base URL without a trailing slash; null if none is configured. */
  readonly baseUrl: string | null
  /**
   * Where clients open feeds, as `ws://` or `wss://` and without a trailing slash; null if that is
   * where they send requests.
   */
  readonly feedsUrl: string | null
}
