import type { Stack } from '../api/types.ts'

/**
 * Returns the status of a stack with the operation that runs, or the failure of the last one:
 * `deploying (stop)`, `running · last deploy failed`.
 */
export function stackStatusText(stack: Pick<Stack, 'status' | 'operation' | 'last_deployment'>) {
  const { status, operation, last_deployment: last } = stack
  if (status === 'deploying') {
    return operation && operation !== 'deploy' ? `${status} (${operation})` : status
  }
  if (last?.status !== 'failed' && last?.status !== 'interrupted') return status
  const ended = last.status === 'failed' ? 'failed' : 'was interrupted'
  return `${status} · last ${last.kind} ${ended}`
}
