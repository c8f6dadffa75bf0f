import { type PastQuery, pastLines } from '../../data/container-log.ts'
import type { LogSource } from './log-feed.ts'
import type { LogLine } from './log-ring.ts'

/** Reads past lines of a log, as they are shown. */
export async function readLines(
  { path, params, name }: LogSource,
  range: PastQuery,
): Promise<LogLine[]> {
  const lines = await pastLines(path, params, range)
  return lines.map((line): LogLine => {
    const service = 'service' in line ? line.service : ''
    const origin = 'container_id' in line ? { origin: line.container_id } : {}
    const source = [name, service].filter(Boolean).join('/')
    return { time: line.time, text: line.line, source, kind: line.stream, ...origin }
  })
}
