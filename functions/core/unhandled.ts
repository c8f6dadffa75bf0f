/** Codes of errors with which nothing but one connection is lost. */
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
 * Returns whether a process can keep running after an exception that nothing caught: only after an
 * error of a connection, which ends that connection alone. Any other stopped a callback halfway,
 * and what it was changing may be half changed.
 */
export function isHarmless(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: string; syscall?: string }
  return syscall !== undefined && code !== undefined && connectionCodes.has(code)
}
