import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import type { StackRecord } from '../records/stack.ts'
import { policyOf } from './policy-of.ts'

/**
 * Decides whether updates of a stack may run now, and with whose rights. Ask right before each
 * update. Without an account none runs: no update acts as the service.
 *
 * @throws what the store throws: it is unknown then whether an update may run, so it must not
 */
export async function judgePolicy(
  stack: Pick<StackRecord, 'hostId' | 'updatePolicy'>,
  ports: JudgePorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const { mode, actsAs } = policyOf(stack)
  if (mode !== 'apply')
    return { kind: 'blocked', reason: 'the mode of the update policy is not apply' }
  const needs = [{ part: 'updates', permission: 'stacks:deploy' as const }]
  const standing = await judgeLaterWork({ actsAs, hostId: stack.hostId, needs }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the update policy has no account: save it again' }
}

/** Returns why no update of a stack may run, although its policy applies them; otherwise null. */
export async function whyBlocked(
  stack: Pick<StackRecord, 'hostId' | 'updatePolicy'>,
  ports: JudgePorts,
): Promise<string | null> {
  if (policyOf(stack).mode !== 'apply') return null
  const standing = await judgePolicy(stack, ports)
  return standing.kind === 'blocked' ? standing.reason : null
}
