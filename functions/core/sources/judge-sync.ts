import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import type { BoundStack } from './stack-source-record.ts'

const needs = [
  { part: 'syncs', permission: 'stacks:update' as const },
  { part: 'deployments', permission: 'stacks:deploy' as const },
  { part: 'sources', permission: 'registries:manage' as const, everyHost: true as const },
]

/**
 * Decides whether a stack may follow its source now, and with whose rights. Nothing is saved or
 * deployed as the service.
 *
 * @throws what the store throws: it is unknown then whether it may, so it must not
 */
export async function judgeSync(
  { source: { actsAs }, hostId }: Pick<BoundStack, 'hostId' | 'source'>,
  ports: JudgePorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const standing = await judgeLaterWork({ actsAs, hostId, needs }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the binding has no account: set the source again' }
}
