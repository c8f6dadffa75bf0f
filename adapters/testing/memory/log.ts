import type { Log } from '../../../functions/core/ports/log.ts'

/** A logged line. */
export interface LogEntry {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  fields: Record<string, unknown>
}

/** A log that keeps its lines. */
export interface MemoryLog extends Log {
  readonly lines: LogEntry[]
}

export function memoryLog(): MemoryLog {
  const lines: LogEntry[] = []
  const at =
    (level: LogEntry['level']) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, message, fields })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
