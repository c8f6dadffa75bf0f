import type { Collection } from '../collection.ts'
import type { AgentFacts } from './agent-protocol.ts'

/** A machine with an Engine. The local one always exists, under the id `local`. */
export interface Host {
  id: string
  /** Unique, whatever the case of its letters. */
  name: string
  kind: 'local' | 'agent'
  tags: string[]
  /** Where stacks live on it: an absolute path on the host. */
  stacksDirectory: string
  /** Null for the local host. */
  agent: HostAgent | null
}

/** The right of a host's agent to connect. Serial numbers are hex in capitals. */
export interface HostAgent {
  state: 'pending' | 'enrolled' | 'revoked'
  /** Of the one certificate that is good, and of the one that replaces it once the agent has used it. */
  serial: string | null
  nextSerial: string | null
  /** Milliseconds since the epoch, of the newest certificate. */
  certificateExpiresAt: number | null
}

/** Hosts by id. The local one is found before anybody wrote it, with revision 0, and is never removed. */
export type Hosts = Collection<Host>

/** The live connections of agents: which process holds a host's, and at what address other processes reach it there. */
export interface HostConnections {
  /** Enters a connection in place of whichever was there: the newest stays. Gives its number, which grows. */
  claim(connection: Omit<HostConnection, 'number' | 'endedAt'>): Promise<number>
  /** Enters that the connection ended, unless a newer one has taken its place. */
  end(hostId: string, number: number, at: number): Promise<void>
  find(hostId: string): Promise<HostConnection | undefined>
  /** Of every host that ever connected, in order of id. */
  list(): Promise<HostConnection[]>
  /** Says that a process lives until then: its connections count as ended afterwards. Milliseconds since the epoch. */
  beat(processId: string, until: number): Promise<void>
}

export interface HostConnection {
  hostId: string
  number: number
  processId: string
  /** `host:port` of the process's internal listener. */
  address: string
  facts: AgentFacts
  connectedAt: number
  /** When it ended, or when its process was last known to live; null while it is open. */
  endedAt: number | null
}

/** One-time rights to enrol an agent, by SHA-256, hex, of their token. */
export interface Enrolments {
  create(hash: string, enrolment: Enrolment): Promise<void>
  /** Uses one up: of any number at once one is given it. Nothing for one that is unknown, used or over. */
  take(hash: string): Promise<Enrolment | undefined>
}

export interface Enrolment {
  hostId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** Certifies agents. Its key never leaves it. */
export interface Authority {
  /** Its own certificate, PEM. */
  certificate(): Promise<string>
  /** SHA-256 of that certificate, hex. */
  fingerprint(): Promise<string>
  /** Certifies the key of a signing request (PEM) for a host. Throws a `Failure` 400 for what is no such request. */
  sign(request: string, hostId: string): Promise<SignedCertificate>
}

export interface SignedCertificate {
  /** PEM. */
  certificate: string
  /** Hex, in capitals. */
  serial: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}
