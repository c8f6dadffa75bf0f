import type { DuplicateAgent, HostConnection } from '../records/host.ts'

/**
 * The connections of agents: which process has the connection of a host, and at what address other
 * processes reach that process.
 */
export interface HostConnections {
  /**
   * Registers a connection and replaces any earlier one of the host. Returns its number, which
   * increases.
   */
  claim(connection: Omit<HostConnection, 'number' | 'endedAt' | 'duplicate'>): Promise<number>
  /** Records the end of a connection, unless a newer one has replaced it. */
  end(hostId: string, number: number, at: number): Promise<void>
  /**
   * Records on the host's connection that another agent with the same certificate was refused. A
   * concurrent change of the connection may win.
   */
  noteDuplicate(hostId: string, duplicate: DuplicateAgent): Promise<void>
  find(hostId: string): Promise<HostConnection | undefined>
  /** Returns the connections of all hosts that ever connected, in order of host ID. */
  list(): Promise<HostConnection[]>
  /**
   * Extends the life of a process until a time in milliseconds since the epoch. After that its
   * connections count as ended.
   */
  beat(processId: string, until: number): Promise<void>
}
