import { Logger, LogLevelThreshold } from '@aws-lambda-powertools/logger'
import type { LogItemExtraInput, LogItemMessage } from '@aws-lambda-powertools/logger/types'
import type { Log } from '../core/ports/log.ts'
import { lineWriter, type TextStream } from './line-writer.ts'

/** Log levels, lowest first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

type Fields = Record<string, unknown>

/**
 * Creates the service's log: one JSON object per line on standard output. Fields belong to one line
 * and are passed with it, because keys set on the logger would be shared by concurrent requests.
 * `pause`: milliseconds that a line may wait for others.
 */
export function createLog(
  level: LogLevel,
  stream: TextStream = process.stdout,
  pause?: number,
): Log {
  const logger = new LineLogger(lineWriter(stream, pause), level)
  return {
    debug: (message, fields = none) => logger.debug(message, fields as Fields),
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
 * The logger with a shorter path from a line to the output. The original copies the fields four
 * times and makes a system call per line, which together cost more than the rest of a small
 * request.
 */
class LineLogger extends Logger {
  readonly #write: (line: string) => void
  /** The level as a number. The logger's own getter reads the environment. */
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

/** Returns true if no value needs the JSON replacer, as an error does. */
function isFlat(fields: Fields): boolean {
  for (const name in fields) {
    const value = fields[name]
    if ((typeof value === 'object' && value !== null) || typeof value === 'bigint') return false
  }
  return true
}
