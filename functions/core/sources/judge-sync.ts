import type { Actor } from '../access/actor.ts'
import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import { isWholeAccount } from '../acts-as/require-whole-account.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Source } from '../records/source.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackSource } from '../records/stack-source.ts'

type Bound = Pick<StackRecord, 'hostId'> & { source: StackSource }

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
  { source: { actsAs }, hostId }: Bound,
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
 * Returns what a token that saves a source may do by stacks that follow it, or undefined if it may
 * do all that its account may, as a session.
 */
export async function tokenRightsOf(
  caller: Caller,
  ports: Needs<'accounts' | 'roles'>,
): Promise<Source['tokenRights']> {
  if (await isWholeAccount(caller, ports)) return undefined
  return stackRights.filter((one) => caller.permissions.has(one))
}

/**
 * Returns why a stack must not take what its source has now, or undefined if it may: no one with
 * fewer rights has changed the source since the stack was bound.
 *
 * @throws what the store throws
 */
export async function whyNotTrusted(
  { source: { sourceUpdatedAt }, hostId }: Bound,
  source: LeadingSource & Pick<Source, 'updatedAt'>,
  actor: Actor,
  ports: JudgePorts,
): Promise<string | undefined> {
  // It was judged when the stack was bound.
  if (source.updatedAt === sourceUpdatedAt) return undefined
  return whyNotLeading(source, { hostId, actor }, ports)
}

type LeadingSource = Pick<Source, 'id' | 'actsAs' | 'tokenRights'>

/**
 * Returns why a source must not lead what a stack deploys with the rights of an account, or
 * undefined if it may. The account that saved the source last decides where it reads, such as by
 * its reference. So it, and its token if it used one, must have the rights with which the files are
 * saved and deployed.
 *
 * @throws what the store throws
 */
export async function whyNotLeading(
  { id, actsAs, tokenRights }: LeadingSource,
  { hostId, actor }: { hostId: string; actor: Omit<Actor, 'scopeTags'> },
  ports: JudgePorts,
): Promise<string | undefined> {
  const wayOut = `check it, and save it again with all rights of the stack: \`cli sources update ${id}\``
  const rights = stackRights.filter((permission) => actor.permissions.has(permission))
  const lacking = tokenRights && rights.find((one) => !tokenRights.includes(one))
  if (lacking !== undefined) {
    return `source ${id} was saved with a token of account ${actsAs.username} that lacks ${lacking}; ${wayOut}`
  }
  if (actsAs.accountId === actor.account.id) return undefined
  const needs = rights.map((permission) => ({ part: 'stacks that follow it', permission }))
  const standing = await judgeLaterWork({ actsAs, hostId, needs }, ports)
  if (standing.kind === 'account') return undefined
  const why = standing.kind === 'blocked' ? `: ${standing.reason}` : ''
  return `source ${id} was saved by an account with fewer rights${why}; ${wayOut}`
}
