import { optionalAt, type Planner, textAt } from '../plan.ts'

/** The container that would be started, stopped or restarted. */
export const planContainer: Planner = async (planning) => {
  const { client, tool, signal } = planning
  const path = { id: textAt(planning, 'id') }
  const query = { host: optionalAt(planning, 'host') }
  const { value: found } = await client.get('/containers/{id}', { path, query, signal })
  const stack = found.stack === null ? '' : `, of the stack ${found.stack}`
  const row = {
    action: tool.path.split('/').at(-1) ?? '',
    kind: 'container',
    name: found.name,
    reason: `it is ${found.state} now${stack}, on host ${found.host_name}`,
  }
  return { rows: [row], pinned: {}, state: { id: found.id, started: found.started_at } }
}
