import { failureReason, type Reason } from './errors.ts'

type Write = (message: string, fields: Record<string, unknown>) => void

/**
 * Returns the level of a log line about a failure: `error` only for a fault of the service, which
 * someone has to look into. A host that is offline is a warning.
 */
export const levelOf = (reason: Reason): 'warn' | 'error' =>
  reason === 'internal' ? 'error' : 'warn'

/** Logs that work failed, on the level that its error calls for. */
export function logFailure(
  log: Record<'warn' | 'error', Write>,
  message: string,
  { error, ...fields }: Record<string, unknown> & { error: unknown },
): void {
  const reason = failureReason(error)
  log[levelOf(reason)](message, { ...fields, reason, error })
}
