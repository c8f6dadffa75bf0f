import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { resource } from './cache.ts'
import { asProblem, isTemporary, type Problem } from './problem.ts'

export type Container = components['schemas']['Container']
export type ContainerDetails = components['schemas']['ContainerDetails']
export type ComposeOfContainers = components['schemas']['ComposeOfContainers']

/** A container by its id, and its host. */
export type ContainerRef = Pick<Container, 'id' | 'host_id'>

export type ContainerVerb = 'start' | 'stop' | 'restart' | 'kill'

/** The containers of all hosts, also those that do not run. */
export const everyContainer = { host: 'all', all: true } as const

const of = ({ id, host_id }: ContainerRef) => ({
  params: { path: { id }, query: { host: host_id } },
})

/** Starts, stops, restarts or kills a container. Returns it in its new state. */
export async function operate(verb: ContainerVerb, ref: ContainerRef): Promise<Container> {
  const calls = {
    start: () => api.POST('/containers/{id}/start', of(ref)),
    stop: () => api.POST('/containers/{id}/stop', of(ref)),
    restart: () => api.POST('/containers/{id}/restart', of(ref)),
    kill: () => api.POST('/containers/{id}/kill', of(ref)),
  }
  const container = await unwrap(calls[verb]())
  refresh(ref)
  return container
}

/** Returns the files of a stack that would run a container as it runs now. */
export const writeAsCompose = ({ id, host_id }: ContainerRef): Promise<ComposeOfContainers> => {
  const params = { query: { host: host_id } }
  return unwrap(api.POST('/containers/compose', { params, body: { names: [id] } }))
}

/** Removes a container; its volumes stay. One that runs is killed first. */
export async function removeContainer({ id, host_id }: ContainerRef): Promise<void> {
  const query = { host: host_id, force: true }
  await unwrap(api.DELETE('/containers/{id}', { params: { path: { id }, query } }))
  resource('/containers', everyContainer).refresh()
}

/**
 * Returns why the account may not enter a container, or undefined if it may, now or later. A shell
 * needs what reading the container's files needs.
 */
export async function entryProblem({ id, host_id }: ContainerRef): Promise<Problem | undefined> {
  const query = { host: host_id, path: '/', stat: true }
  try {
    await unwrap(api.GET('/containers/{id}/archive', { params: { path: { id }, query } }))
    return undefined
  } catch (error) {
    const problem = asProblem(error)
    return isTemporary(problem) ? undefined : problem
  }
}

function refresh({ id, host_id }: ContainerRef): void {
  resource('/containers', everyContainer).refresh()
  resource('/containers/{id}', { id, host: host_id }).refresh()
}
