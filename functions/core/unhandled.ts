/** Codes of errors that affect a single connection. */
const connectionCodes = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/**
 * Returns whether a process can keep running after an uncaught exception: only after the error of a
 * connection, which ends that connection alone. Any other exception stopped a callback halfway and
 * may have left state inconsistent.
 */
export function isHarmless(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: string; syscall?: string }
  return syscall !== undefined && code !== undefined && connectionCodes.has(code)
}
