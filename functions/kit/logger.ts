import { Logger, LogLevelThreshold } from '@aws-lambda-powertools/logger'
import type { LogItemExtraInput, LogItemMessage } from '@aws-lambda-powertools/logger/types'
import type { Log } from '../core/runtime.ts'
import { lineWriter, type TextStream } from './line-writer.ts'

/** Levels of the log, least to most. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

type Fields = Record<string, unknown>

/**
 * The service's log: one JSON object a line on standard output. Fields belong to one line and are given with it, because
 * keys set on the logger would be shared by requests that run at the same time.
 */
export function createLog(level: LogLevel, stream: TextStream = process.stdout): Log {
  const logger = new LineLogger(lineWriter(stream), level)
  return {
    info: (message, fields = none) => logger.info(message, fields as Fields),
    warn: (message, fields = none) => logger.warn(message, fields as Fields),
    error: (message, fields = none) => logger.error(message, fields as Fields),
  }
}

const none: Fields = Object.freeze({})
const service = 'container-stacks'
const names = new Map<number, string>(
  Object.entries(LogLevelThreshold).map(([name, number]) => [number, name]),
)

/**
 * The logger with a shorter way from a line to the output: its own copies the fields four times and makes a system call
 * for each line, which together cost more than the rest of a small request.
 */
class LineLogger extends Logger {
  readonly #write: (line: string) => void
  /** The level as a number; the logger's own getter looks into the environment. */
  readonly #threshold: number

  constructor(write: (line: string) => void, level: LogLevel) {
    super({
      serviceName: service,
      logLevel: level.toUpperCase() as 'DEBUG' | 'INFO' | 'WARN' | 'ERROR',
    })
    this.#write = write
    this.#threshold = this.level
  }

  protected override processLogItem(
    level: number,
    message: LogItemMessage,
    [fields]: LogItemExtraInput,
  ): void {
    if (level < this.#threshold) return
    const line = {
      level: names.get(level),
      message,
      timestamp: new Date().toISOString(),
      service,
      ...(fields as Fields),
    }
    this.#write(JSON.stringify(line, isFlat(fields as Fields) ? undefined : this.getJsonReplacer()))
  }
}

/** True when no value needs replacing, as errors do. */
function isFlat(fields: Fields): boolean {
  for (const name in fields) {
    const value = fields[name]
    if ((typeof value === 'object' && value !== null) || typeof value === 'bigint') return false
  }
  return true
}
