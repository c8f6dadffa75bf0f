import { api, unwrap } from './api.ts'
import type { ContainerRef } from './containers.ts'

/** Returns the last lines of a container, each with its own time; the feed has one a message. */
export const lastLines = ({ id, host_id }: ContainerRef, tail: number) =>
  unwrap(
    api.GET('/containers/{id}/logs', { params: { path: { id }, query: { host: host_id, tail } } }),
  )
