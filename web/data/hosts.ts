import { useEffect, useMemo } from 'preact/hooks'
import type { HostId } from '../host-ids.ts'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { resource, useResource } from './cache.ts'
import { serviceTime } from './clock.ts'
import type { Resource } from './resource-cache.ts'

export type Host = components['schemas']['Host']
export type HostMetrics = components['schemas']['HostMetrics']

const reload = () => resource('/hosts').reload()

/** Adds a host. Returns it with the command that enrols its agent, which is shown once. */
export async function createHost(name: string, tags: string[]) {
  const created = await unwrap(api.POST('/hosts', { body: { name, tags } }))
  await reload()
  return created
}

/** Returns a new command that enrols the agent of a host, also in the place of a connected one. */
export const enrolAgain = (id: HostId) =>
  unwrap(api.POST('/hosts/{id}/enrolment', { params: { path: { id }, query: { replace: true } } }))

interface HostChange {
  name: string
  tags: string[]
  address: string | null
}

export async function changeHost(id: HostId, body: HostChange) {
  const changed = await unwrap(api.PUT('/hosts/{id}', { params: { path: { id } }, body }))
  await Promise.all([reload(), resource('/hosts/{id}', { id }).reload()])
  return changed
}

/** Revokes the certificate of a host. It stays in the list. */
export async function revokeHost(id: HostId): Promise<void> {
  await unwrap(api.POST('/hosts/{id}/revoke', { params: { path: { id } } }))
  await reload()
}

/** Deletes a host, and forgets the stacks that are placed on it. */
export async function deleteHost(id: HostId, stacks: readonly string[]): Promise<void> {
  const query = { force: true, stacks: [...stacks] }
  await unwrap(api.DELETE('/hosts/{id}', { params: { path: { id }, query } }))
  await reload()
}

const minute = 60_000
const pollEvery = 15_000

/**
 * Reads the samples of a host since this many minutes before the component was mounted.
 *
 * @param polls false where another component of the page keeps the same samples current
 */
export function useHostMetrics(
  id: HostId,
  minutes: number,
  polls = true,
): Resource<readonly HostMetrics[]> {
  const since = useMemo(() => {
    const from = Math.floor(serviceTime() / minute) - minutes
    return new Date(from * minute).toISOString()
  }, [id, minutes])
  const entry = useResource('/hosts/{id}/metrics', { id, since })
  useEffect(() => {
    if (!polls) return
    const timer = setInterval(() => void entry.reload(), pollEvery)
    return () => clearInterval(timer)
  }, [entry, polls])
  return entry
}
