import type { HealthCheck } from '../service-parts.ts'
import type { EngineBody } from '../step.ts'
import { nanoseconds } from './quantities.ts'

/** Returns the Engine's health check; undefined keeps the one of the image. */
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
