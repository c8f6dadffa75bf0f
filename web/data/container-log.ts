import { api, unwrap } from './api.ts'
import type { ContainerRef } from './containers.ts'
import type { Params } from './paths.ts'
import { asProblem, isTemporary, type Problem } from './problem.ts'

/** Returns the last lines of a container, each with its own time; the feed has one a message. */
export const lastLines = ({ id, host_id }: ContainerRef, tail: number) =>
  unwrap(
    api.GET('/containers/{id}/logs', { params: { path: { id }, query: { host: host_id, tail } } }),
  )

/** Returns why the feed of a log is refused, or undefined if it may open later. */
export async function logProblem(
  path: '/ws/logs/{id}' | '/ws/stacks/{name}/logs',
  { id, name, host, service }: Params,
): Promise<Problem | undefined> {
  const ofContainer = { path: { id: String(id) }, query: { host: host as string, tail: 1 } }
  const ofStack = { path: { name: String(name) }, query: { service: service as string[], tail: 1 } }
  try {
    await (path === '/ws/logs/{id}'
      ? unwrap<unknown>(api.GET('/containers/{id}/logs', { params: ofContainer }))
      : unwrap<unknown>(api.GET('/stacks/{name}/logs', { params: ofStack })))
    return undefined
  } catch (error) {
    const problem = asProblem(error)
    return isTemporary(problem) ? undefined : problem
  }
}
