import { ignoreError } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { recordStops, removeStops } from '../states/known-stops.ts'
import type { RecordedDeployment } from './record.ts'
import type { Execution } from './run-steps.ts'

/**
 * Runs the steps of a stop of services. First records who stops their containers, in one write, so
 * that no observer takes the end of one for a failure. Removes the records of containers that were
 * not stopped after all.
 */
export async function withServiceStops(
  { deployment, prepared }: Pick<RecordedDeployment, 'deployment' | 'prepared'>,
  ports: Needs<'hostStops'>,
  run: () => Promise<Execution>,
): Promise<Execution> {
  const { hostId, by, startedAt: at } = deployment
  const { plan, engine, snapshot } = prepared
  const names = new Set(plan.steps.flatMap(({ action, name }) => (action === 'stop' ? name : [])))
  if (names.size === 0) return run()
  const containers = snapshot.containers.filter(({ name }) => names.has(name))
  const runs = await engine.runs(containers)
  const stops = runs.map(({ id, startedAt }) => [id, { startedAt, by, at }] as const)
  await recordStops(hostId, stops, ports)
  const execution = await run()
  const done = new Set(
    execution.steps.flatMap(({ action, name, status }) =>
      action === 'stop' && status === 'done' ? name : [],
    ),
  )
  const left = containers.flatMap(({ id, name }) => (done.has(name) ? [] : id))
  if (left.length > 0) {
    await removeStops(hostId, left, ports).catch(ignoreError('remove the records of stops'))
  }
  return execution
}
