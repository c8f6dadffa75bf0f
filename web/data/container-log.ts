import type { HostId } from '../host-ids.ts'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import type { Params } from './paths.ts'
import { asProblem, isTemporary, type Problem } from './problem.ts'

/** The feed of a log. */
export type LogPath = '/ws/logs/{id}' | '/ws/stacks/{name}/logs'

/** The last lines of a log, at most `tail`, between two times. */
export interface PastQuery {
  tail: number
  since?: string | undefined
  until?: string | undefined
}

/** A line of a container, or of a stack, which has more of them. */
export type PastLine = components['schemas']['LogLine'] | components['schemas']['StackLogLine']

/** Reads past lines of the log that a feed follows. */
export function pastLines(
  path: LogPath,
  { id, name, host, service }: Params,
  range: PastQuery,
): Promise<PastLine[]> {
  const query = { tail: range.tail, since: range.since, until: range.until }
  if (path === '/ws/logs/{id}') {
    const params = { path: { id: String(id) }, query: { ...query, host: host as HostId } }
    return unwrap<PastLine[]>(api.GET('/containers/{id}/logs', { params }))
  }
  const params = { path: { name: String(name) }, query: { ...query, service: service as string[] } }
  return unwrap<PastLine[]>(api.GET('/stacks/{name}/logs', { params }))
}

/** Returns why the feed of a log is refused, or undefined if it may open later. */
export async function logProblem(path: LogPath, params: Params): Promise<Problem | undefined> {
  try {
    await pastLines(path, params, { tail: 1 })
    return undefined
  } catch (error) {
    const problem = asProblem(error)
    return isTemporary(problem) ? undefined : problem
  }
}
