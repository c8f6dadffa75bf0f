import { type Planner, textAt } from '../plan.ts'

/** What a backup job backs up, and whether services are stopped for it. */
export const planBackup: Planner = async (planning) => {
  const { client, signal } = planning
  const path = { id: textAt(planning, 'id') }
  const { value: job } = await client.get('/backup-jobs/{id}', { path, signal })
  const { stop_services: stops } = job
  const isStopping = Array.isArray(stops) ? stops.length > 0 : stops
  const sources = job.sources.map(({ kind, name }) => ({
    action: 'back up',
    kind,
    name,
    reason: `job ${job.name}, to a target of the kind ${job.target.kind}`,
  }))
  const stopped = {
    action: 'stop',
    kind: 'service',
    name: Array.isArray(stops) ? stops.join(', ') : 'all that use the data',
    reason: 'while their data is read',
  }
  return { rows: isStopping ? [stopped, ...sources] : sources, pinned: {}, state: job.updated_at }
}
