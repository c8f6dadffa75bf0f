import { appendFileSync } from 'node:fs'
import { knownMessage } from '../../adapters/docker/responses/engine-messages.ts'

/**
 * Appends the messages of Engines in lines of a service's log for which it has no words of its own
 * to a file, one a line. The reporter of a test run prints them at its end.
 */
export function recordUnknown(lines: readonly string[], file = process.env.TEST_UNKNOWN): void {
  if (!file) return
  const unknown = lines.map(detailOf).filter((text) => text && knownMessage(text) === undefined)
  for (const text of unknown) appendFileSync(file, `${JSON.stringify(text)}\n`)
}

function detailOf(line: string): string | undefined {
  if (!line.includes('"detail":')) return undefined
  try {
    const { detail, status } = JSON.parse(line)
    // Why a credential was refused is never an Engine's message.
    return typeof detail === 'string' && status !== 401 ? detail : undefined
  } catch {
    // Not a line of the log.
    return undefined
  }
}
