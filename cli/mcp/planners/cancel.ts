import { type Planner, type PlanRow, textAt } from '../plan.ts'

/** The deployment that would be cancelled. */
export const planCancelDeployment: Planner = async (planning) => {
  const { client, signal } = planning
  const path = { name: textAt(planning, 'name'), id: textAt(planning, 'id') }
  const at = '/stacks/{name}/deployments/{id}'
  const { value: found } = await client.get(at, { path, signal })
  return planOf(found.kind, found.stack, found)
}

/** The operation that would be cancelled. */
export const planCancelOperation: Planner = async (planning) => {
  const { client, signal } = planning
  const path = { id: textAt(planning, 'id') }
  const { value: found } = await client.get('/operations/{id}', { path, signal })
  return planOf(found.kind, found.subject.name, found)
}

function planOf(kind: string, name: string, { status, by }: { status: string; by: string }) {
  const row: PlanRow = { action: 'cancel', kind, name, reason: `it is ${status}, started by ${by}` }
  return { rows: [row], pinned: {}, state: null }
}
