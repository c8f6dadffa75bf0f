import { isDeepStrictEqual } from 'node:util'
import { requireEveryHost, requirePermissions } from '../access/grant.ts'
import { bindAccount } from '../acts-as/bind-account.ts'
import { requireWholeAccount } from '../acts-as/require-whole-account.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Source } from '../records/source.ts'
import type { StackRecord } from '../records/stack.ts'
import type { SourceTerms, StackSource } from '../records/stack-source.ts'
import { pathProblem, shownPath } from '../stacks/file-path.ts'
import { changeStack, getStack } from '../stacks/stack-record.ts'
import { whyNotLeading } from './judge-sync.ts'
import { getSource } from './source-record.ts'

export type BindPorts = Needs<'accounts' | 'clock' | 'hosts' | 'roles' | 'sources' | 'stacks'>

/** A stack that follows a source. */
export type BoundStack = StackRecord & { source: StackSource }

export const isBound = <T extends StackRecord>(stack: T): stack is T & BoundStack =>
  stack.source !== undefined

/** What a binding needs, as syncs check it again: see `judgeSync`. */
export const neededToFollow = ['stacks:update', 'stacks:deploy', 'registries:manage'] as const

/**
 * Lets a stack follow a source from now on. Its syncs act as the caller. Files that are kept here
 * stay so if it followed a source before.
 *
 * @param check throws if the binding is another one than the caller knows
 * @throws 404 if there is no such source, 403 if the caller may not all that follows, 400 for an
 *   unsafe path, 409 if an account with fewer rights saved the source last
 */
export async function bindSource(
  stack: StackRecord,
  sourceName: string,
  terms: SourceTerms,
  caller: Caller,
  check: (now: StackRecord) => void,
  ports: BindPorts,
): Promise<BoundStack> {
  requirePermissions(caller, neededToFollow, 'stacks that follow a source')
  requireEveryHost(caller, 'sources')
  await requireWholeAccount(caller, 'a stack that follows a source', ports)
  checkPath('body.path', terms.path)
  for (const path of terms.also) checkPath('body.also', path)
  const followed = await getSource(sourceName, ports)
  await refuseNotLeading(stack, followed, caller, ports)
  const { id: source, createdAt: sourceCreatedAt, updatedAt: sourceUpdatedAt } = followed
  const actsAs = await bindAccount(caller.account, [stack.id], ports)
  const boundAt = ports.clock.now()
  const saved = await changeStack(
    stack.id,
    (now) => {
      check(now)
      const seen = { source, sourceCreatedAt, sourceUpdatedAt }
      const next = { ...terms, ...seen, actsAs, boundAt }
      return { source: { ...startOf(now.source, next), ...next } }
    },
    ports,
  )
  if (saved && isBound(saved)) return saved
  throw notFound(`stack ${stack.id}: there is no such stack`)
}

/**
 * The account that binds a stack may not know who chose where the source reads. Reading is one
 * right, and leading what is deployed is another one.
 */
async function refuseNotLeading(
  { id, hostId }: StackRecord,
  source: Source,
  caller: Caller,
  ports: BindPorts,
): Promise<void> {
  const reason = await whyNotLeading(source, { hostId, actor: caller }, ports)
  if (reason !== undefined) throw conflict(`stack ${id}: ${reason}`, { reason: 'blocked' })
}

/** Returns where a binding begins: another account or way goes on, another place begins again. */
function startOf(
  before: StackSource | undefined,
  next: Pick<StackSource, 'also' | 'onChange' | 'path' | 'source' | 'sourceCreatedAt'>,
): Omit<StackSource, keyof typeof next | 'actsAs' | 'boundAt' | 'overwrite' | 'sourceUpdatedAt'> {
  const place = ({ source, sourceCreatedAt, path, also }: Omit<typeof next, 'onChange'>) => [
    source,
    sourceCreatedAt,
    path,
    also,
  ]
  const isSame = before !== undefined && isDeepStrictEqual(place(before), place(next))
  return {
    kept: before?.kept ?? [],
    isFreed: before?.isFreed ?? false,
    askedAt: null,
    comparedRevision: null,
    waiting: null,
    // What was taken from another place is no file of the user's own: nothing of it is kept here.
    synced: isSame ? before.synced : ((before?.synced && { ...before.synced, treeId: '' }) ?? null),
    deploys: isSame && next.onChange === 'deploy' ? before.deploys : null,
    ...(isSame && before.deploysAgain && { deploysAgain: true }),
    ...(isSame && before.takenRevision && { takenRevision: before.takenRevision }),
    begun: isSame && next.onChange === 'deploy' ? before.begun : undefined,
    problem: null,
  }
}

function checkPath(field: string, path: string): void {
  const problem = path === '' ? undefined : pathProblem(path)
  if (problem !== undefined) throw invalid(`${field}: ${shownPath(path)}: this path ${problem}`)
}

/**
 * Lets a stack follow no source any more. Its files stay as they are.
 *
 * @throws 404 if it follows none
 */
export async function unbindSource(
  stack: StackRecord,
  check: (now: StackRecord) => void,
  ports: Needs<'stacks'>,
): Promise<void> {
  await changeStack(
    stack.id,
    (now) => {
      check(now)
      getBound(now)
      return { source: undefined }
    },
    ports,
  )
}

/**
 * Returns the stack, which follows a source.
 *
 * @throws 404 if it follows none
 */
export function getBound<T extends StackRecord>(stack: T): T & BoundStack {
  if (isBound(stack)) return stack
  throw notFound(
    `stack ${stack.id}: it follows no source; bind one with \`cli stacks source set ${stack.id}\``,
  )
}

/**
 * Changes how a stack follows its source, unless it was bound again or deleted meanwhile.
 *
 * @returns the stack as written, or undefined
 */
export async function changeBinding(
  { id, createdAt, source: { boundAt } }: BoundStack,
  change: (now: BoundStack) => Partial<StackSource>,
  ports: Needs<'stacks'>,
): Promise<BoundStack | undefined> {
  const saved = await changeStack(
    id,
    (now) => {
      const isSame = isBound(now) && now.createdAt === createdAt && now.source.boundAt === boundAt
      return isSame ? { source: { ...now.source, ...change(now) } } : {}
    },
    ports,
  )
  return saved && isBound(saved) && saved.source.boundAt === boundAt ? saved : undefined
}

/** Records that a user asks for a sync. */
export async function askForSync(name: string, ports: Needs<'clock' | 'stacks'>) {
  const stack = getBound(await getStack(name, ports))
  const askedAt = ports.clock.now()
  const asked = await changeBinding(stack, () => ({ askedAt, problem: null }), ports)
  if (asked) return asked
  throw conflict(`stack ${name}: another request just bound it to a source: try again`)
}
