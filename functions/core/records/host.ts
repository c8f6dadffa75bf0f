import type { AgentFacts } from './agent-protocol.ts'

/** A machine with an Engine. The local one always exists, under the id `local`. */
export interface Host {
  id: string
  /** Unique, ignoring case. */
  name: string
  kind: 'local' | 'agent'
  tags: string[]
  /** The directory of the host's stacks: an absolute path on the host. */
  stacksDirectory: string
  /**
   * The name or address at which users reach its published ports, as URLs have it. Missing or null
   * if it was not set.
   */
  address?: string | null
  /** Null for the local host. */
  agent: HostAgent | null
}

/**
 * Returns whether a host's Engine can be reached. Other hosts have an agent that never connected or
 * was revoked.
 */
export const isReachable = ({ agent }: Pick<Host, 'agent'>): boolean =>
  agent === null || agent.state === 'enrolled'

/** The right of a host's agent to connect. Serial numbers are in uppercase hex. */
export interface HostAgent {
  state: 'pending' | 'enrolled' | 'revoked'
  /**
   * The serial number of the current certificate. `nextSerial` is that of its renewal, which
   * replaces it when the agent first uses it.
   */
  serial: string | null
  nextSerial: string | null
  /** When the newest certificate expires, in milliseconds since the epoch. */
  certificateExpiresAt: number | null
  /**
   * The SHA-256 (hex) of the only token that may enrol the agent; null if there is none. Missing in
   * records of earlier versions: then each token of the host is valid until it expires.
   */
  enrolment?: string | null
  /**
   * How often the host was revoked or got a new token. Missing in records of earlier versions,
   * which counts as 0.
   */
  accessChanges?: number
  /** The last upgrade of the agent that the service began. Missing before the first one. */
  upgrade?: AgentUpgrade | undefined
}

/** `skipped`: it did not begin, as another agent failed or this one was offline or busy. */
export const agentUpgradeStates = ['waiting', 'running', 'succeeded', 'failed', 'skipped'] as const

/** An upgrade of an agent, one of several that were asked for together. */
export interface AgentUpgrade {
  /** The same for all agents of one request. */
  id: string
  /** The version of the new program. */
  to: string
  /** Agents of a lower wave come first. */
  wave: number
  state: (typeof agentUpgradeStates)[number]
  /** When it came into this state, in milliseconds since the epoch. */
  at: number
  /** Why it failed or was skipped. */
  error: string | null
  /** The number of the agent's connection when it began. Missing before. */
  connection?: number
}

export interface HostConnection {
  hostId: string
  number: number
  processId: string
  /** The process's internal listener, as `host:port`. */
  address: string
  facts: AgentFacts
  /** The serial number of the agent's certificate. Missing in records of earlier versions. */
  serial?: string
  connectedAt: number
  /** When the connection ended or its process was last known to be alive; null while it is open. */
  endedAt: number | null
  /** The last agent that was refused because of this connection. Missing if there was none. */
  duplicate?: DuplicateAgent
}

/** A second agent with the certificate of a host. */
export interface DuplicateAgent {
  hostname: string
  /** The IP address that it connected from. */
  address: string
  /** When it was refused last, in milliseconds since the epoch. */
  at: number
}

export interface Enrolment {
  hostId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface SignedCertificate {
  /** PEM. */
  certificate: string
  /** Uppercase hex. */
  serial: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}
