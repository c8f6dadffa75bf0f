import type { Engine, LogLine } from '../engine/engine.ts'

/** A log line and the container that it comes from. */
export interface StackLogLine extends LogLine {
  service: string
  container_id: string
}

/** Returns the last lines of each container of a project or of one service, sorted by time. */
export async function mergedLogs(
  project: string,
  engine: Engine,
  options: { service?: string; tail: number; since?: string },
): Promise<StackLogLine[]> {
  const all = await engine.containers({ all: true })
  const own = all.filter(
    ({ stack, service }) =>
      stack === project && (options.service === undefined || service === options.service),
  )
  const lines = await Promise.all(
    own.map(async ({ id, service }) => {
      const past = await engine.logs(id, { tail: options.tail, since: options.since })
      return past.map((line) => ({ service: service ?? '', container_id: id, ...line }))
    }),
  )
  return lines
    .flat()
    .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
}
