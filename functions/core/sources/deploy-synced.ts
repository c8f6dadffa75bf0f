import { beginDeploy } from '../deploy/begin-deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { isForNow } from '../errors.ts'
import type { DeployedSource } from '../records/stack-source.ts'
import { deployedRevisionOf } from '../stacks/deployed-revision.ts'
import { isPaused } from './decide-sync.ts'
import { judgeSync } from './judge-sync.ts'
import { failureOf, recordFailure } from './record-failure.ts'
import { reportSync } from './report-sync.ts'
import { type BoundStack, changeBinding, isBound } from './stack-source-record.ts'
import type { SyncPorts } from './sync-ports.ts'

/**
 * Begins the deployment of what a stack took from its source, if one waits and is not paused after
 * a failure. While the stack is busy, or its host does not respond, it waits, and then deploys what
 * is newest. Nothing is deployed if the stack was stopped or rolled back meanwhile, or if that
 * revision is deployed already and no other folder of the source changed.
 *
 * @throws what the store throws
 */
export async function deploySynced(bound: BoundStack, ports: SyncPorts): Promise<void> {
  const stack = await ports.stacks.find(bound.id)
  if (!stack || !isBound(stack) || stack.source.boundAt !== bound.source.boundAt) return
  const { deploys, comparedRevision } = stack.source
  if (deploys === null || isPaused(stack.source, ports.clock.now(), comparedRevision)) return
  const deployed = whatToDeploy(stack)
  if (!deployed) {
    await changeBinding(stack, () => ({ deploys: null, problem: null }), ports)
    return
  }
  // The revision that was last compared: another one at the source ends the wait.
  const revision = comparedRevision ?? deployed.revision
  try {
    const standing = await judgeSync(stack, ports)
    if (standing.kind === 'blocked') {
      return await recordFailure(
        stack,
        { reason: 'blocked', message: standing.reason, revision },
        ports,
      )
    }
    const follows = { overwriteDrift: stack.source.overwrite, source: deployed }
    const options = { ...plainOptions, ...follows }
    const deploymentId = await beginDeploy(stack, options, standing.actor, ports)
    const begun = { id: deploymentId, revision: deployed.revision, error: null }
    await changeBinding(stack, () => ({ deploys: null, begun, problem: null }), ports)
    const report = { action: 'stacks.source.deploy' as const, state: deployed, deploymentId }
    await reportSync(stack, report, standing.actor.account, ports)
  } catch (error) {
    // Such as another operation of the stack: the next pass tries again.
    if (isForNow(error)) return
    await recordFailure(stack, failureOf(error, revision), ports)
  }
}

/** Returns what is to be deployed, or undefined if nothing is. */
function whatToDeploy(stack: BoundStack): DeployedSource | undefined {
  const { synced, deploys, deploysAgain, source } = stack.source
  const isDone = !deploysAgain && deployedRevisionOf(stack) === stack.contentRevision
  if (!synced || deploys === null || isDone || !stack.deployed) return undefined
  const { at: _, ...state } = synced
  return { ...state, source, trigger: deploys }
}
