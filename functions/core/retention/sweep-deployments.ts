import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'

export type DeploymentPorts = Needs<'deployments' | 'stacks' | 'settings' | 'clock'>

const day = 86_400_000
/** Records removed between two pauses, and the length of a pause in milliseconds. */
const stepMax = 25
const pause = 100

/**
 * Removes deployments that are not among the newest `retention.deployments` of their stack and are
 * older than `retention.days`, and returns how many. Running deployments and the last one of each
 * stack stay.
 */
export async function sweepDeployments(
  ports: DeploymentPorts,
  signal: AbortSignal,
): Promise<number> {
  const settings = await ports.settings.get()
  const limits = {
    newest: settings['retention.deployments'],
    before: ports.clock.now() - settings['retention.days'] * day,
  }
  let removed = 0
  for (const stack of await ports.stacks.list()) {
    removed += await sweepStack(stack, limits, ports, signal)
  }
  return removed
}

async function sweepStack(
  stack: StackRecord,
  { newest, before }: { newest: number; before: number },
  { deployments, clock }: DeploymentPorts,
  signal: AbortSignal,
): Promise<number> {
  const ids = await deployments.listIds(stack.id)
  let removed = 0
  for (const id of ids.slice(newest).reverse()) {
    if (signal.aborted) break
    const found = await deployments.find(stack.id, id)
    if (found && found.startedAt >= before) break
    if (found?.status === 'running' || stack.last?.deploymentId === id) continue
    if (await deployments.removeEnded(stack.id, id)) removed += 1
    if (removed % stepMax === stepMax - 1) await clock.sleep(pause, signal)
  }
  return removed
}
