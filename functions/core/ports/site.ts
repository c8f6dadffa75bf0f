/** The public address of the service. */
export interface Site {
  /** The base URL without a trailing slash; null if none is configured. */
  readonly baseUrl: string | null
}
