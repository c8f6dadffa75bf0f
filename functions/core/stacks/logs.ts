import { readableContainers } from '../owners/container-owner.ts'
import type { Engine } from '../ports/engine.ts'
import type { Caller } from '../records/account.ts'
import type { ContainerSummary, LogLine } from '../records/container.ts'
import type { StackRecord } from '../records/stack.ts'
import { noService } from './no-service.ts'
import { readLogs, requireReadable } from './read-logs.ts'

/** A log line and the container that it comes from. */
export interface StackLogLine extends LogLine {
  service: string
  container_id: string
}

/** The lines of a stack, and the services of which a container has a log that cannot be read. */
export interface MergedLogs {
  lines: StackLogLine[]
  unreadable: string[]
}

/**
 * Returns the last lines of each container of a stack or of some services, sorted by time.
 *
 * @throws 409 if no log can be read because of the log drivers of the containers
 */
export async function mergedLogs(
  stack: Pick<StackRecord, 'id' | 'services'>,
  engine: Engine,
  caller: Caller,
  options: { service?: readonly string[]; tail: number; since?: string; until?: string },
): Promise<MergedLogs> {
  const { service: asked, tail, since, until } = options
  const all = await engine.containers({ all: true })
  const labelled = all.filter((one) => one.stack === stack.id && isAmong(one, asked))
  const own = await readableContainers(labelled, 'logs', caller, engine)
  const found = await readLogs(own, async ({ id, service }) => {
    const past = await engine.logs(id, { tail, since, until })
    return past.map((line) => ({ service: service ?? '', container_id: id, ...line }))
  })
  requireReadable(found, stack, asked)
  return {
    lines: found.logs
      .flat()
      .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0)),
    unreadable: [...new Set(found.unreadable.map(({ container }) => container.service ?? ''))],
  }
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
