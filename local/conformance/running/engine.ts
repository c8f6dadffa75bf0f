import type { Json as Decoded } from '../../../adapters/testing/json.ts'
import { engineCall } from '../../setup/engine-api.mjs'

/** An object as `docker inspect` prints it. */
export type Json = Record<string, Decoded>

const slow = 120_000

/** Returns the body of a GET, or undefined for 404. Throws for other errors. */
export async function engineGet<T = Json>(path: string): Promise<T | undefined> {
  const { status, text } = await engineCall('GET', path, { timeout: slow })
  if (status === 404) return undefined
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.trim()}`)
  return JSON.parse(text)
}

/** Changes something in the Engine. 404 and 409 count as done. */
export async function engineWrite(method: 'POST' | 'DELETE', path: string) {
  const { status, text } = await engineCall(method, path, { timeout: slow })
  if (status >= 400 && status !== 404 && status !== 409) {
    throw new Error(`${method} ${path}: ${status} ${text.trim()}`)
  }
}

/** Returns the query that limits a list to a project. */
export const ofProject = (name: string) =>
  `filters=${encodeURIComponent(JSON.stringify({ label: [`com.docker.compose.project=${name}`] }))}`

/** Removes everything with a project's label, including anonymous volumes. */
export async function removeProject(name: string): Promise<void> {
  const containers = (await engineGet<Json[]>(`/containers/json?all=true&${ofProject(name)}`)) ?? []
  await Promise.all(
    containers.map(({ Id }) => engineWrite('DELETE', `/containers/${Id}?force=true&v=true`)),
  )
  const networks = (await engineGet<Json[]>(`/networks?${ofProject(name)}`)) ?? []
  await Promise.all(networks.map(({ Id }) => engineWrite('DELETE', `/networks/${Id}`)))
  const { Volumes } = (await engineGet(`/volumes?${ofProject(name)}`)) ?? {}
  for (const { Name } of Volumes ?? []) await engineWrite('DELETE', `/volumes/${Name}?force=true`)
}
