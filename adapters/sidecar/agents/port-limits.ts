/**
 * Limits of the ports that agents and other processes of the service connect to. Strangers can open
 * connections to both until they have to prove who they are. Times are in milliseconds.
 */
export interface PortLimits {
  /** Connections at once. */
  connections: number
  /** For a handshake. */
  handshake: number
  /** For the headers of a request after the handshake. */
  headers: number
  /** The interval of checks for slow headers. */
  check: number
}

export const portLimits: PortLimits = {
  connections: 10_000,
  handshake: 10_000,
  headers: 10_000,
  check: 5_000,
}
