import { Logger } from '@aws-lambda-powertools/logger'
import type { Log } from '../core/ports.ts'

/** Levels of the log, least to most. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/**
 * The service's log: one JSON object a line on standard output. Fields belong to one line and are given with it, because
 * keys set on the logger would be shared by requests that run at the same time.
 */
export function createLog(level: LogLevel): Log {
  const logger = new Logger({
    serviceName: 'container-stacks',
    logLevel: level.toUpperCase() as 'DEBUG' | 'INFO' | 'WARN' | 'ERROR',
  })
  return {
    info: (message, fields = {}) => logger.info(message, fields),
    warn: (message, fields = {}) => logger.warn(message, fields),
    error: (message, fields = {}) => logger.error(message, fields),
  }
}
