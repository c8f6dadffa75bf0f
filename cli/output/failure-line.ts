import { ApiFailure, CliFailure } from '../failure.ts'
import { jsonLine } from './progress.ts'

/** Returns a failure as a line of JSON for programs: what the service sent, and the hint. */
export function failureLine(error: unknown): string {
  if (!(error instanceof CliFailure)) return jsonLine({ error: String(error), ...unknown })
  const { message, hint = null, reason = null } = error
  const { status = null, requestId = null } = error instanceof ApiFailure ? error : {}
  return jsonLine({ error: message, status, reason, request_id: requestId, hint })
}

const unknown = { status: null, reason: null, request_id: null, hint: null }
