import type { Reason } from '../../../../functions/core/errors.ts'
import { levelOf } from '../../../../functions/core/log-failure.ts'
import type { Log } from '../../../../functions/core/ports/log.ts'
import type { CountedRequest } from '../../process/own-process.ts'

/** The facts about a completed request. */
export interface RequestFacts extends CountedRequest {
  id: string
  path: string | null
  user: string | undefined
  bytes: number
  error: unknown
  /** Why it failed. */
  reason?: Reason
  /** The message of an Engine or a registry, or why a credential is refused. */
  detail?: string
  /** The close code of a feed that has ended. */
  closeCode?: number
}

/** A log that can also receive the facts of every request. */
export type RequestLog = Log & { seen?(request: RequestFacts): void }

/** Writes the log line of a request. The path has no query, because tickets are in it. */
export function logRequest(log: RequestLog, facts: RequestFacts): void {
  log.seen?.(facts)
  const fields: Record<string, unknown> = {
    request_id: facts.id,
    method: facts.method,
    route: facts.route,
    path: facts.path === null ? null : facts.path.slice(0, 512),
    status: facts.status,
    ms: Math.round((performance.now() - facts.startedAt) * 100) / 100,
    user: facts.user ?? null,
    bytes: facts.bytes,
    ...(facts.reason !== undefined && { reason: facts.reason }),
    ...(facts.detail !== undefined && { detail: facts.detail }),
    ...(facts.closeCode !== undefined && { close_code: facts.closeCode }),
  }
  if (facts.error !== undefined) {
    log[levelOf(facts.reason ?? 'internal')]('request', { ...fields, error: facts.error })
  } else if (isOfRegistry(facts.reason)) log.warn('request', fields)
  else log.info('request', fields)
}

/** A pull that a registry refuses is logged as the step of a deployment is, whatever its status. */
const isOfRegistry = (reason?: Reason): boolean =>
  reason === 'registry-refused' || reason === 'registry-unreachable'
