import type { HealthCheck } from '../service-parts.ts'
import type { EngineBody } from '../step.ts'
import { nanoseconds } from './quantities.ts'

/** The Engine's health check; nothing leaves the image's own in place. */
export function healthCheckBody(check: HealthCheck | undefined): EngineBody | undefined {
  if (!check) return undefined
  if (check.disable) return { Test: ['NONE'] }
  return {
    Test: check.test,
    Interval: nanoseconds(check.interval),
    Timeout: nanoseconds(check.timeout),
    StartPeriod: nanoseconds(check.start_period),
    StartInterval: nanoseconds(check.start_interval),
    Retries: check.retries,
  }
}
