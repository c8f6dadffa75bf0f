import type { Actor } from '../access/actor.ts'
import { beginDeploy } from '../deploy/begin-deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { isForNow, publicMessage } from '../errors.ts'
import { changeHook, freed } from '../hooks/hook-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { DeployOptions } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import type { HookDeployment, StackHook } from '../records/stack-hook.ts'
import { type DeployedSource, toldToAll, unreadText } from '../records/stack-source.ts'
import { type BoundStack, changeBinding, isBound } from '../sources/stack-source-record.ts'
import { takeNewest } from '../sources/take-newest.ts'
import { deployedRevisionOf } from '../stacks/deployed-revision.ts'
import { isHookOf } from '../stacks/stack-hook.ts'
import type { HookPorts } from './hook-ports.ts'
import { ofStacks } from './hook-record.ts'
import { judgeHook } from './judge-hook.ts'
import { reportHook } from './report-hook.ts'

/**
 * Begins the deployment of a stack that follows no source, for the requests that were taken.
 *
 * @throws what the store throws, and what holds only for now, such as another operation of the
 *   stack: the next pass tries again
 */
export async function deployPlain(
  hook: StackHook,
  stack: Stored<StackRecord>,
  ports: HookPorts,
): Promise<void> {
  const standing = await judgeHook(hook, stack, ports)
  if (standing.kind === 'blocked') return record(hook, stack, refusal(standing.reason), ports)
  if (!stack.deployed) return record(hook, stack, refusal(notDeployed), ports)
  await begin(hook, stack, {}, standing.actor, ports)
}

/**
 * Takes what the source of a stack has now, and begins the deployment of the newest files, for the
 * requests that were taken. While the source must not be asked yet, they wait.
 *
 * @throws as `deployPlain`
 */
export async function deployFollowed(
  hook: StackHook,
  bound: Stored<BoundStack>,
  ports: HookPorts,
  signal: AbortSignal,
): Promise<void> {
  const standing = await judgeHook(hook, bound, ports)
  if (standing.kind === 'blocked') return record(hook, bound, refusal(standing.reason), ports)
  const taking = await takeNewest(bound, hook.takenAt ?? 0, ports, signal)
  if (taking === 'later') return
  if (taking === 'unread') return record(hook, bound, refusal(unreadText), ports)
  const stack = await ports.stacks.find(bound.id)
  // Unbound or deleted meanwhile: the next pass sees what it is now.
  if (!stack || !isBound(stack) || !isHookOf(stack, hook)) return
  const reason = whyNotDeployed(stack)
  if (reason !== undefined) return record(hook, stack, refusal(reason), ports)
  const source = deployedSource(stack)
  const options = { overwriteDrift: stack.source.overwrite, ...(source && { source }) }
  const deploymentId = await begin(hook, stack, options, standing.actor, ports)
  await changeBinding(stack, (now) => afterBegin(now, source, deploymentId), ports)
}

const notDeployed = 'the stack is not deployed'

/** A rollback lasts until the source has something new for the stack. */
function whyNotDeployed(stack: BoundStack): string | undefined {
  const { source, deployed, last } = stack
  if (!deployed) return notDeployed
  if (source.problem) return toldToAll(source.problem)
  if (!last?.isRolledBack || deployedRevisionOf(stack) !== stack.contentRevision) return undefined
  return 'the stack was rolled back, and its source has nothing new for it'
}

/** Returns what the newest files were taken from, or undefined if they never were. */
function deployedSource({ source }: BoundStack): DeployedSource | undefined {
  if (!source.synced?.treeId) return undefined
  const { at: _, ...state } = source.synced
  return { ...state, source: source.source, trigger: 'hook' }
}

/** What was refused to the account of the hook, that of the binding may still deploy by itself. */
function afterBegin(
  { source: { onChange, deploys } }: BoundStack,
  source: DeployedSource | undefined,
  deploymentId: string | null,
): Partial<BoundStack['source']> {
  if (deploymentId === null) return onChange === 'deploy' ? { deploys: deploys ?? 'hook' } : {}
  if (!source) return {}
  return { deploys: null, begun: { id: deploymentId, revision: source.revision, error: null } }
}

/** Returns the ID of the deployment, or null if it was refused. */
async function begin(
  hook: StackHook,
  stack: Stored<StackRecord>,
  more: Partial<DeployOptions>,
  actor: Actor,
  ports: HookPorts,
): Promise<string | null> {
  try {
    const byHook = { pull: 'always' as const, byHook: true as const }
    const options = { ...plainOptions, ...byHook, ...more }
    const deploymentId = await beginDeploy(stack, options, actor, ports)
    await record(hook, stack, { deploymentId, error: null }, ports, actor)
    return deploymentId
  } catch (error) {
    // Such as another operation of the stack: the next pass tries again.
    if (isForNow(error)) throw error
    const reason = publicMessage(error, 'the service failed')
    await record(hook, stack, refusal(reason), ports, actor)
    return null
  }
}

const refusal = (error: string) => ({ deploymentId: null, error })

/** Records what followed the requests that were taken. */
async function record(
  hook: StackHook,
  { hostId }: StackRecord,
  what: Omit<HookDeployment, 'at'>,
  ports: HookPorts,
  actor?: Actor,
): Promise<void> {
  const at = ports.clock.now()
  const change = (now: StackHook) => ({ ...freed(now, hook), lastDeployment: { at, ...what } })
  await changeHook(hook, change, ofStacks(ports))
  await reportHook({ id: hook.id, hostId }, what, actor?.account, ports)
}
