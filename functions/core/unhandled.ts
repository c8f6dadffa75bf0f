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
 * Returns whether a process can keep running after an uncaught exception. Only the error of a
 * connection qualifies, because it ends that connection alone. Any other exception stopped a
 * callback halfway and may have left inconsistent state.
 */
export function isHarmless(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: string; syscall?: string }
  return syscall !== undefined && code !== undefined && connectionCodes.has(code)
}
