import { engineGet, type Json, ofProject } from './engine.ts'

/** All that `docker inspect` shows of a project, by name. */
export interface Inspected {
  containers: Record<string, Json>
  networks: Record<string, Json>
  volumes: Record<string, Json>
}

/** Inspects everything of a project that the Engine has now. What goes meanwhile is left out. */
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
 * Inspects a project once nothing moves any more: no health check is in its first run, nothing restarts, and all states were the
 * same for a while; what it is after ten seconds else: a check may be an hour apart from the next.
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
