/**
 * The addresses of the service: the configured ones, otherwise those that the current request used.
 */
export interface Addresses {
  /**
   * Returns the URL of the service for users and for enrolling agents, without a trailing slash.
   */
  base(headers: Record<string, string | undefined>): string
  /** Returns the address that agents dial, as `host:port`. */
  agents(headers: Record<string, string | undefined>): string
  /** The default stacks directory of added hosts: an absolute path on the host. */
  stacksDirectory: string
}
