import type { Engine } from '../ports/engine.ts'
import type { ContainerSummary, LogLine } from '../records/container.ts'
import type { StackRecord } from '../records/stack.ts'
import { noService } from './no-service.ts'

/** A log line and the container that it comes from. */
export interface StackLogLine extends LogLine {
  service: string
  container_id: string
}

/** Returns the last lines of each container of a project or of some services, sorted by time. */
export async function mergedLogs(
  project: string,
  engine: Engine,
  options: { service?: readonly string[]; tail: number; since?: string },
): Promise<StackLogLine[]> {
  const all = await engine.containers({ all: true })
  const own = all.filter((one) => one.stack === project && isAmong(one, options.service))
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

/** Returns whether a container belongs to one of the services. Without services, each does. */
export const isAmong = (
  { service }: Pick<ContainerSummary, 'service'>,
  services: readonly string[] | undefined,
): boolean => services === undefined || (service !== null && services.includes(service))

/**
 * Checks that a stack has these services.
 *
 * @throws 404 if it does not have one of them
 */
export function requireServices(
  { id, services }: Pick<StackRecord, 'id' | 'services'>,
  names: readonly string[] = [],
): void {
  const unknown = names.find((name) => !Object.hasOwn(services, name))
  if (unknown !== undefined) throw noService(id, unknown, Object.keys(services))
}
