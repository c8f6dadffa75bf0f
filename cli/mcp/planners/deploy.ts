import type { PlanBody } from '../../api/types.ts'
import { type Planner, textAt } from '../plan.ts'

/** The plan of the service. The deploy is then one of the revision that was planned, or none. */
export const planDeploy: Planner = async (planning) => {
  const { client, request, signal } = planning
  const path = { name: textAt(planning, 'name') }
  const body = (request.body ?? {}) as PlanBody
  const { value: rows, answer } = await client.post('/stacks/{name}/plan', { path, body, signal })
  const revision = Number(answer.headers['x-revision'])
  return { rows, pinned: Number.isInteger(revision) ? { revision } : {}, state: null }
}

/** The images of the deployment to go back to, beside those of now. */
export const planRollback: Planner = async (planning) => {
  const { client, signal } = planning
  const name = textAt(planning, 'name')
  const id = textAt(planning, 'deployment_id')
  const at = '/stacks/{name}/deployments/{id}'
  const { value: stack } = await client.get('/stacks/{name}', { path: { name }, signal })
  const { value: target } = await client.get(at, { path: { name, id }, signal })
  const images = Object.entries(target.images).map(([service, image]) => ({
    action: 'deploy',
    kind: 'service',
    name: service,
    reason: `image ${image}`,
  }))
  const now = stack.deployed_revision ?? 'none'
  const first = {
    action: 'roll back',
    kind: 'stack',
    name,
    reason: `from revision ${now} to revision ${target.revision} of ${target.started_at}`,
  }
  const state = { revision: stack.revision, last: stack.last_deployment?.id ?? null }
  return { rows: [first, ...images], pinned: {}, state }
}
