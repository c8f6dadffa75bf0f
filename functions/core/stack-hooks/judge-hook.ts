import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackHook } from '../records/stack-hook.ts'

const deploys = { part: 'deployments', permission: 'stacks:deploy' as const }

/**
 * Decides whether the hook of a stack may deploy it now, and with whose rights. Nothing is deployed
 * as the service.
 *
 * @throws what the store throws: it is unknown then whether a deployment may begin, so it must not
 */
export async function judgeHook(
  { actsAs }: Pick<StackHook, 'actsAs'>,
  { hostId }: Pick<StackRecord, 'hostId'>,
  ports: JudgePorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const standing = await judgeLaterWork({ actsAs, hostId, needs: [deploys] }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the hook has no account: rotate its secret' }
}

/** Returns why a hook may deploy nothing, or null. */
export async function whyHookBlocked(
  hook: Pick<StackHook, 'actsAs'>,
  stack: Pick<StackRecord, 'hostId'>,
  ports: JudgePorts,
): Promise<string | null> {
  const standing = await judgeHook(hook, stack, ports)
  return standing.kind === 'blocked' ? standing.reason : null
}
