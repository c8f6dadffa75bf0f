import type { Collection } from '../collection.ts'
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
  /** Null for the local host. */
  agent: HostAgent | null
}

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
}

/**
 * Hosts by ID. The local host is found with revision 0 before it is first written, and cannot be
 * removed.
 */
export type Hosts = Collection<Host>

/**
 * The connections of agents: which process has the connection of a host, and at what address other
 * processes reach that process.
 */
export interface HostConnections {
  /**
   * Registers a connection and replaces any earlier one of the host. Returns its number, which
   * increases.
   */
  claim(connection: Omit<HostConnection, 'number' | 'endedAt'>): Promise<number>
  /** Records the end of a connection, unless a newer one has replaced it. */
  end(hostId: string, number: number, at: number): Promise<void>
  find(hostId: string): Promise<HostConnection | undefined>
  /** Returns the connections of all hosts that ever connected, in order of host ID. */
  list(): Promise<HostConnection[]>
  /**
   * Extends the life of a process until a time in milliseconds since the epoch. After that its
   * connections count as ended.
   */
  beat(processId: string, until: number): Promise<void>
}

export interface HostConnection {
  hostId: string
  number: number
  processId: string
  /** The process's internal listener, as `host:port`. */
  address: string
  facts: AgentFacts
  connectedAt: number
  /** When the connection ended or its process was last known to be alive; null while it is open. */
  endedAt: number | null
}

/** One-time rights to enrol an agent, by the SHA-256 (hex) of their token. */
export interface Enrolments {
  create(hash: string, enrolment: Enrolment): Promise<void>
  /**
   * Removes and returns an enrolment, so that only one of several concurrent calls gets it. Returns
   * undefined if it is unknown, used or expired.
   */
  take(hash: string): Promise<Enrolment | undefined>
}

export interface Enrolment {
  hostId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** The certificate authority of the agents. Its key never leaves it. */
export interface Authority {
  /** Returns its own certificate as PEM. */
  certificate(): Promise<string>
  /** Returns the SHA-256 of that certificate in hex. */
  fingerprint(): Promise<string>
  /**
   * Issues a certificate to a host for the key of a signing request (PEM).
   *
   * @throws 400 if the request is invalid
   */
  sign(request: string, hostId: string): Promise<SignedCertificate>
}

export interface SignedCertificate {
  /** PEM. */
  certificate: string
  /** Uppercase hex. */
  serial: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}
