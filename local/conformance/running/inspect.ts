import { engineGet, type Json, ofProject } from './engine.ts'

/** Everything that `docker inspect` shows of a project, by name. */
export interface Inspected {
  containers: Record<string, Json>
  networks: Record<string, Json>
  volumes: Record<string, Json>
}

/**
 * Inspects everything that the Engine has of a project. Objects that disappear meanwhile are left
 * out.
 */
export async function inspectProject(name: string): Promise<Inspected> {
  const list = await engineGet<Json[]>(`/containers/json?all=true&${ofProject(name)}`)
  const containers = await all((list ?? []).map(({ Id }) => engineGet(`/containers/${Id}/json`)))
  const listed = await engineGet<Json[]>(`/networks?${ofProject(name)}`)
  const networks = await all((listed ?? []).map(({ Id }) => engineGet(`/networks/${Id}`)))
  const { Volumes } = (await engineGet(`/volumes?${ofProject(name)}`)) ?? {}
  return {
    containers: byName(containers, (one) => one.Name.slice(1)),
    networks: byName(networks, (one) => one.Name),
    volumes: byName(Volumes ?? [], (one) => one.Name),
  }
}

async function all(things: Promise<Json | undefined>[]): Promise<Json[]> {
  return (await Promise.all(things)).filter((one) => one !== undefined)
}

function byName(list: Json[], nameOf: (one: Json) => string): Record<string, Json> {
  return Object.fromEntries(list.map((one) => [nameOf(one), one]))
}

/**
 * Inspects a project once it is stable: no health check is in its first run, no container restarts,
 * and all states stay the same for a while. Gives up after ten seconds and returns the current
 * state, because health checks may be an hour apart.
 */
export async function settled(name: string): Promise<Inspected> {
  const end = Date.now() + 10_000
  let before = ''
  let since = Date.now()
  for (;;) {
    const now = await inspectProject(name)
    const states = Object.values(now.containers).map(({ State }) => stateOf(State))
    const text = JSON.stringify(states)
    if (text !== before) since = Date.now()
    before = text
    const still = Date.now() - since > 1500 && !/starting|restarting|removing/.test(text)
    if (still || Date.now() > end) return now
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const stateOf = (state: Json) => [state.Status, state.ExitCode, state.Health?.Status]
