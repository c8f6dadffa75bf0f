import type {
  IgnoredCount,
  OwnProcess,
  RequestCount,
  UnhandledCount,
} from '../../../functions/core/ports/own-process.ts'
import type { ServiceProcess } from '../../../functions/core/records/installation.ts'

/** What is counted of a completed request. */
export interface CountedRequest {
  method: string | null
  route: string | null
  /** Null if the client disconnected before the response. */
  status: number | null
  /** In the time of `performance.now()`. */
  startedAt: number
}

/** This process, with counts of its responses. */
export interface CountingProcess extends OwnProcess {
  count(request: CountedRequest): void
}

/** Methods that are counted separately; all others are counted together. */
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])

/**
 * Counts requests by values from a fixed set, so that callers cannot make the counts grow.
 * `unhandled` and `ignored` return the errors that nothing handled and those that were ignored.
 */
export function ownProcess(
  place: Readonly<ServiceProcess>,
  unhandled: () => readonly UnhandledCount[],
  ignored: () => readonly IgnoredCount[],
): CountingProcess {
  const counts = new Map<string, RequestCount>()
  const startedAt = Date.now() / 1000 - process.uptime()
  return {
    place,
    count({ method, route, status, startedAt: begun }) {
      const known = method !== null && methods.has(method) ? method : 'other'
      const path = route?.split(' ')[1] ?? 'none'
      const key = `${known} ${path} ${status}`
      const one = counts.get(key) ?? newCount(known, path, status ?? 0)
      one.count += 1
      one.seconds += (performance.now() - begun) / 1000
      counts.set(key, one)
    },
    figures() {
      const { rss, heapUsed } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      return {
        requests: [...counts.values()],
        unhandledErrors: unhandled(),
        ignoredErrors: ignored(),
        residentBytes: rss,
        heapBytes: heapUsed,
        cpuSeconds: (user + system) / 1e6,
        startedAt,
      }
    },
  }
}

const newCount = (method: string, route: string, status: number): RequestCount => ({
  method,
  route,
  status,
  count: 0,
  seconds: 0,
})
