import type { Log } from '../../../functions/core/runtime.ts'

/** What is known of a request when it is over. */
export interface RequestFacts {
  id: string
  method: string | null
  route: string | null
  path: string | null
  /** None when the client went before it was answered. */
  status: number | null
  /** By `performance.now()`. */
  startedAt: number
  user: string | undefined
  bytes: number
  error: unknown
  /** What an Engine or a registry said. */
  detail?: string
  /** Of a feed that has ended. */
  closeCode?: number
}

/** A log that may want to know of every request. */
export type RequestLog = Log & { seen?(request: RequestFacts): void }

/** The one line of a request. The path is without its query: tickets stand in there. */
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
    ...(facts.detail !== undefined && { detail: facts.detail }),
    ...(facts.closeCode !== undefined && { close_code: facts.closeCode }),
  }
  if (facts.error === undefined) log.info('request', fields)
  else log.error('request', { ...fields, error: facts.error })
}
