import type { ServiceStatus } from '../../api/types.ts'
import { failed } from '../../failure.ts'
import { type Planner, type Planning, textAt } from '../plan.ts'

/** The containers of the services that would be started, stopped, restarted or paused. */
export const planServices: Planner = async (planning) => {
  const containers = await containersOf(planning)
  const action = planning.tool.path.split('/').at(-1) ?? ''
  const rows = containers.map(({ service, name, state }) => ({
    action,
    kind: 'container',
    name: name ?? service,
    reason: `it is ${state} now, of the service ${service}`,
  }))
  return { rows, pinned: {}, state: containers.map(({ container_id: id }) => id) }
}

/** The number of containers of a service, now and then. */
export const planScale: Planner = async (planning) => {
  const containers = await containersOf(planning)
  const present = containers.filter(({ container_id: id }) => id !== null)
  const row = {
    action: 'scale',
    kind: 'service',
    name: textAt(planning, 'service'),
    reason: `${present.length} containers now, ${planning.given.replicas} then`,
  }
  return { rows: [row], pinned: {}, state: present.map(({ container_id: id }) => id) }
}

/** Returns the containers of the services that a call names, or of the whole stack. */
async function containersOf(planning: Planning): Promise<ServiceStatus[]> {
  const { client, given, signal } = planning
  const name = textAt(planning, 'name')
  const { value: all } = await client.get('/stacks/{name}/status', { path: { name }, signal })
  const named = [given.service ?? given.services ?? []].flat().map(String)
  const known = all.map(({ service }) => service)
  const unknown = named.find((service) => !known.includes(service))
  if (unknown !== undefined) {
    const rest = known.length === 0 ? 'it has none' : `it has ${[...new Set(known)].join(', ')}`
    throw failed(`stack ${name} has no service ${JSON.stringify(unknown)}: ${rest}`)
  }
  return named.length === 0 ? all : all.filter(({ service }) => named.includes(service))
}
