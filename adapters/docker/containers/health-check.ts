import type Docker from 'dockerode'
import type { HealthCheck } from '../../../functions/core/records/container.ts'

const nanosecondsPerMs = 1e6

/**
 * What the Engine takes for a time that is 0 or missing. From its documentation of `HEALTHCHECK`.
 * Milliseconds.
 */
const engineDefaults = { interval: 30_000, timeout: 30_000, retries: 3 }

/** Returns when the Engine checks the health of a container; undefined if it does not. */
export function healthCheckOf(config: Docker.HealthConfig | undefined): HealthCheck | undefined {
  const [kind] = config?.Test ?? []
  if (!config || kind === undefined || kind === 'NONE') return undefined
  const { Interval = 0, Timeout = 0, StartPeriod = 0, Retries = 0 } = config
  return {
    startPeriod: StartPeriod / nanosecondsPerMs,
    interval: Interval / nanosecondsPerMs || engineDefaults.interval,
    timeout: Timeout / nanosecondsPerMs || engineDefaults.timeout,
    retries: Retries || engineDefaults.retries,
  }
}
