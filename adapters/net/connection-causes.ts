/** Why a connection failed, in words, by the code of the system's error. */
export const connectionCauses: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'the host name could not be resolved right now',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
}
