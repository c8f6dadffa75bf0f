import type { Actor } from '../access/actor.ts'
import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import type { Source } from '../records/source.ts'
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

/** What an account does by a stack that follows a source. */
const stackRights = [
  'stacks:update',
  'stacks:deploy',
  'stacks:secrets',
  'stacks:privileged',
] as const

/**
 * Returns why a stack must not take what its source has now, or undefined if it may. Another
 * account may have changed where the source reads since the stack was bound, such as its
 * reference: that one must have the rights with which the files are saved and deployed.
 *
 * @throws what the store throws
 */
export async function whyNotTrusted(
  { source: binding, hostId }: Pick<BoundStack, 'hostId' | 'source'>,
  source: Pick<Source, 'id' | 'actsAs' | 'updatedAt'>,
  actor: Actor,
  ports: JudgePorts,
): Promise<string | undefined> {
  const { actsAs, updatedAt } = source
  if (updatedAt === binding.sourceUpdatedAt) return undefined
  if (actsAs.accountId === binding.actsAs.accountId) return undefined
  const rights = stackRights
    .filter((permission) => actor.permissions.has(permission))
    .map((permission) => ({ part: 'stacks that follow it', permission }))
  const standing = await judgeLaterWork({ actsAs, hostId, needs: rights }, ports)
  if (standing.kind === 'account') return undefined
  const why = standing.kind === 'blocked' ? `: ${standing.reason}` : ''
  return `source ${source.id} was changed by an account with fewer rights${why}; check it, and set it again`
}
