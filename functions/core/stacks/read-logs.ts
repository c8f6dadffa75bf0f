import { ownEntry } from '../../compose/lookup.ts'
import { conflict, Failure } from '../errors.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { StackRecord } from '../records/stack.ts'

/** A log that cannot be read, because the log driver of its container does not support it. */
export interface UnreadableLog {
  container: ContainerSummary
  /** Why, as text for callers. */
  error: string
}

/** What reading a log results in: undefined if its container was removed since it was listed. */
export type LogOutcome<T> = { log: T } | { unreadable: UnreadableLog } | undefined

/** The logs of several containers, without those of containers that were removed. */
export interface LogOutcomes<T> {
  logs: T[]
  unreadable: UnreadableLog[]
}

/** Reads the log of one container. Throws errors that concern more than this container. */
export async function readLog<T>(
  container: ContainerSummary,
  read: (container: ContainerSummary) => Promise<T>,
): Promise<LogOutcome<T>> {
  try {
    return { log: await read(container) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.status === 404) return undefined
    if (error.status === 409) return { unreadable: { container, error: error.message } }
    throw error
  }
}

/** Reads the logs of several containers. One that cannot be read does not end the others. */
export async function readLogs<T>(
  containers: readonly ContainerSummary[],
  read: (container: ContainerSummary) => Promise<T>,
): Promise<LogOutcomes<T>> {
  const outcomes = await Promise.all(containers.map((one) => readLog(one, read)))
  return {
    logs: outcomes.flatMap((one) => (one && 'log' in one ? [one.log] : [])),
    unreadable: outcomes.flatMap((one) => (one && 'unreadable' in one ? [one.unreadable] : [])),
  }
}

/**
 * Checks that there is something to read or to wait for: a log that was read, or a service that has
 * no container yet.
 *
 * @param asked the services that are asked for; without it all
 * @throws 409 if the log of every service cannot be read
 */
export function requireReadable(
  { logs, unreadable }: LogOutcomes<unknown>,
  { services }: Pick<StackRecord, 'services'>,
  asked: readonly string[] | undefined,
): void {
  const [first] = unreadable
  if (first === undefined || logs.length > 0) return
  const found = new Set(unreadable.map(({ container }) => container.service))
  const expected = Object.keys(services).filter(
    (name) => (ownEntry(services, name)?.containers ?? 0) > 0,
  )
  if (!(asked ?? expected).every((name) => found.has(name))) return
  throw conflict(`service ${first.container.service}: ${first.error}`)
}
