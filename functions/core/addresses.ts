/** Where the service is reached, as it is configured or else as the caller of a request reached it. */
export interface Addresses {
  /** The URL of the service for people and agents that enrol, without a slash at its end. */
  base(headers: Record<string, string | undefined>): string
  /** `host:port` for agents. */
  agents(headers: Record<string, string | undefined>): string
  /** Where stacks live on hosts that are added: an absolute path there. */
  stacksDirectory: string
}
