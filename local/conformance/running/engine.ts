import { engineCall } from '../../setup/engine-api.mjs'

/** What the Engine says of one thing, as `docker inspect` prints it. */
export type Json = Record<string, any>

const slow = 120_000

/** What a GET answers, or nothing for what is not there. Throws what else the Engine refuses. */
export async function engineGet<T = Json>(path: string): Promise<T | undefined> {
  const { status, text } = await engineCall('GET', path, { timeout: slow })
  if (status === 404) return undefined
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.trim()}`)
  return JSON.parse(text)
}

/** A call that changes something. What is gone or there already is as wanted. */
export async function engineDo(method: 'POST' | 'DELETE', path: string) {
  const { status, text } = await engineCall(method, path, { timeout: slow })
  if (status >= 400 && status !== 404 && status !== 409) {
    throw new Error(`${method} ${path}: ${status} ${text.trim()}`)
  }
}

/** The query that narrows a list to a project. */
export const ofProject = (name: string) =>
  `filters=${encodeURIComponent(JSON.stringify({ label: [`com.docker.compose.project=${name}`] }))}`

/** Removes all that carries a project's label, anonymous volumes too. */
export async function removeProject(name: string): Promise<void> {
  const containers = (await engineGet<Json[]>(`/containers/json?all=true&${ofProject(name)}`)) ?? []
  await Promise.all(
    containers.map(({ Id }) => engineDo('DELETE', `/containers/${Id}?force=true&v=true`)),
  )
  const networks = (await engineGet<Json[]>(`/networks?${ofProject(name)}`)) ?? []
  await Promise.all(networks.map(({ Id }) => engineDo('DELETE', `/networks/${Id}`)))
  const { Volumes } = (await engineGet(`/volumes?${ofProject(name)}`)) ?? {}
  for (const { Name } of Volumes ?? []) await engineDo('DELETE', `/volumes/${Name}?force=true`)
}
