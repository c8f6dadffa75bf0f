import type { Actor } from '../access/actor.ts'
import { isForNow } from '../errors.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Needs } from '../ports/ports.ts'
import { SourceFailure, type SourceTree } from '../ports/source-reader.ts'
import type { Source } from '../records/source.ts'
import type { SourceState, StackSource, SyncProblem, SyncTrigger } from '../records/stack-source.ts'
import { byServer, turnTime } from './by-server.ts'
import { decideSync, isAskedFor, isOtherAlso, isSyncDue } from './decide-sync.ts'
import { deploySynced } from './deploy-synced.ts'
import { judgeSource } from './judge-source.ts'
import { judgeSync, whyNotTrusted } from './judge-sync.ts'
import { addressOf } from './look-at-source.ts'
import { failureOf, recordFailure } from './record-failure.ts'
import { reportSync } from './report-sync.ts'
import { isUnsettled, settleDeployment } from './settle-deployment.ts'
import { sourceLimits } from './source-limits.ts'
import { type BoundStack, changeBinding, isBound } from './stack-source-record.ts'
import type { SyncPorts } from './sync-ports.ts'
import { type OpenFolder, readSource, takeFiles } from './take-files.ts'

/**
 * Brings the stacks that follow sources to what these were last seen to have. A source is read by
 * one process at a time. Never rejects: failures are recorded, or logged and retried.
 */
export async function syncStacks(ports: SyncPorts, signal: AbortSignal): Promise<void> {
  try {
    const bound = (await ports.stacks.list()).filter(isBound)
    if (bound.length === 0) return
    const sources = new Map((await ports.sources.list()).map((one) => [one.id, one] as const))
    const now = ports.clock.now()
    const due = bound.filter((stack) => isDue(stack, sources.get(stack.source.source), now))
    const names = namesInOrder([...due, ...bound.filter(isUnsettled)])
    // Nothing is read for stacks whose source is gone.
    for (const name of names) if (!sources.has(name)) await syncSafely(name, ports, signal)
    const present = names.flatMap((name) => sources.get(name) ?? [])
    await byServer(present, (own) => syncInTurn(own, ports, signal))
  } catch (error) {
    if (!signal.aborted) ports.log.warn('stacks could not follow their sources', { error })
  }
}

/** Returns the names of the sources of stacks, first the one that was taken from longest ago. */
function namesInOrder(stacks: readonly BoundStack[]): string[] {
  const takenAt = ({ source }: BoundStack) => source.synced?.at ?? 0
  const inOrder = stacks.toSorted((a, b) => takenAt(a) - takenAt(b))
  return [...new Set(inOrder.map(({ source }) => source.source))]
}

/** Syncs the stacks of the sources of one server. Those that are left wait for the next run. */
async function syncInTurn(
  sources: readonly Source[],
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<void> {
  const began = ports.clock.monotonic()
  for (const { id } of sources) {
    if (ports.clock.monotonic() - began > turnTime) return
    await syncSafely(id, ports, signal)
  }
}

async function syncSafely(name: string, ports: SyncPorts, signal: AbortSignal): Promise<void> {
  try {
    await syncSource(name, ports, signal)
  } catch (error) {
    const text = 'the stacks of a source could not follow it'
    if (signal.aborted || !ports.reminders.isDue(`${text} ${name}`)) return
    ports.log.warn(text, { source: name, error })
  }
}

/**
 * Syncs and deploys the stacks of a source that are due. Does nothing if another process does.
 *
 * @throws what the store throws
 */
export async function syncSource(
  name: string,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<void> {
  const holder = `${ports.background.processId}/${ports.random.id()}`
  const lease = await ports.leases.acquire(`sync:${name}`, holder, leaseTime)
  if (!lease) return
  await withLeaseRenewal(lease, signal, ports, async (held) => {
    // Under the lease: another process may just have done it.
    const own = await boundTo(name, ports)
    const source = await ports.sources.find(name)
    const now = ports.clock.now()
    const due = own.filter((stack) => isDue(stack, source, now))
    for (const stack of own.filter(isUnsettled)) await settleDeployment(stack, ports)
    await compareAll(due, source, ports, held.signal)
    // Those that had nothing to compare may have a deployment that waits.
    const next = own.filter((stack) => due.includes(stack) || stack.source.deploys !== null)
    for (const stack of next) {
      held.signal.throwIfAborted()
      await deploySynced(stack, ports)
    }
  })
}

/** Returns the stacks that follow a source with this name. */
async function boundTo(name: string, { stacks }: Needs<'stacks'>): Promise<BoundStack[]> {
  return (await stacks.list()).filter(isBound).filter(({ source }) => source.source === name)
}

/**
 * Returns whether a stack needs a sync or a deployment now.
 *
 * @param followed the source with the name that it follows, which may be another one by now
 */
function isDue({ source }: BoundStack, followed: Source | undefined, now: number): boolean {
  const isSame = followed?.createdAt === source.sourceCreatedAt
  return isSyncDue(source, isSame ? followed?.look.revision : undefined, now)
}

/** Reads the source once for all stacks, and takes what is new for each. */
async function compareAll(
  due: readonly BoundStack[],
  source: Source | undefined,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<void> {
  const ready: Ready[] = []
  for (const stack of due) {
    signal.throwIfAborted()
    const actor = await actorOf(stack, source, ports)
    if (actor && needsFiles(stack.source, source)) ready.push({ stack, actor })
  }
  if (source) await compareWith(ready, source, ports, signal)
}

/**
 * Reads what stacks need of a source, and takes it. What one of them cannot have, such as a folder
 * with too many files, does not keep it from the others.
 */
async function compareWith(
  ready: readonly Ready[],
  source: Source,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<void> {
  const { revision } = source.look
  if (revision === null || ready.length === 0) return
  const standing = await judgeSource(source, ports)
  if (standing.kind === 'blocked') {
    const { reason: message } = standing
    const failure = { reason: 'blocked', message, isUnread: true as const, revision }
    for (const { stack } of ready) await recordFailure(stack, failure, ports)
    return
  }
  let tree: SourceTree
  try {
    tree = await openFor(ready, source, revision, ports, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (isForNow(error)) throw error
    if (ready.length > 1 && isOfOne(error)) {
      for (const one of ready) await compareWith([one], source, ports, signal)
      return
    }
    logUnexpected(error, source.id, ports)
    for (const { stack } of ready) await recordFailure(stack, failureOf(error, revision), ports)
    return
  }
  try {
    for (const one of ready) {
      signal.throwIfAborted()
      await compareSafely(one, { tree, source }, ports, signal)
    }
  } finally {
    await tree.close()
  }
}

/** Returns whether a failure may be that of a folder which one stack needs. */
const isOfOne = (error: unknown): boolean =>
  error instanceof SourceFailure &&
  ['too-large', 'malformed', 'no-such-folder'].includes(error.problem)

/** A stack that may be synced, with the account whose rights it has. */
interface Ready {
  stack: BoundStack
  actor: Actor
}

const needsFiles = (binding: StackSource, source: Source | undefined): boolean =>
  isAskedFor(binding) || binding.comparedRevision !== source?.look.revision

/** Returns whose rights a sync has, or undefined, with the failure recorded, if it may not run. */
async function actorOf(
  stack: BoundStack,
  source: Source | undefined,
  ports: SyncPorts,
): Promise<Actor | undefined> {
  if (source?.createdAt !== stack.source.sourceCreatedAt) {
    const message = `source ${stack.source.source}: it was deleted: set another one, or unset it`
    await recordFailure(stack, { reason: 'no-source', message, revision: null }, ports)
    return undefined
  }
  const standing = await judgeSync(stack, ports)
  const reason =
    standing.kind === 'blocked'
      ? standing.reason
      : await whyNotTrusted(stack, source, standing.actor, ports)
  if (standing.kind === 'account' && reason === undefined) return standing.actor
  const message = reason ?? 'it may not follow its source'
  await recordFailure(stack, { reason: 'blocked', message, revision: source.look.revision }, ports)
  return undefined
}

/**
 * Opens what a revision has for stacks.
 *
 * @throws what the reader throws
 */
async function openFor(
  ready: readonly Ready[],
  source: Source,
  revision: string,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<SourceTree> {
  const limits = sourceLimits(await ports.settings.get())
  // The IDs of other folders are enough: their size and what they have is no matter.
  const paths = ready.map(({ stack }) => stack.source.path)
  const what = { paths: [...new Set(paths)], limits }
  return ports.sourceReader.open(await addressOf(source, ports), revision, what, signal)
}

function logUnexpected(error: unknown, source: string, ports: SyncPorts): void {
  if (failureOf(error, null).reason !== 'internal') return
  ports.log.warn('a source could not be read', { source, error })
}

/** A source with what one of its revisions has. */
type OpenSource = Omit<OpenFolder, 'path'> & { source: Pick<Source, 'look'> }

async function compareSafely(
  one: Ready,
  open: OpenSource,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<void> {
  try {
    await compare(one, open, ports, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (isForNow(error)) return
    logUnexpected(error, one.stack.source.source, ports)
    await recordFailure(one.stack, failureOf(error, open.tree.revision), ports)
  }
}

async function compare(
  { stack: before, actor }: Ready,
  open: OpenSource,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<void> {
  // Others may have changed it while the source was read: a user may have asked for a sync.
  const stack = await ports.stacks.find(before.id)
  if (!stack || !isBound(stack) || stack.source.boundAt !== before.source.boundAt) return
  const { source } = stack
  const { tree } = open
  const { revision } = tree
  const missing = [source.path, ...source.also].find((path) => tree.idOf(path) === undefined)
  if (missing !== undefined) {
    const message = `source ${source.source}: it has no folder ${missing} at ${revision}`
    return recordFailure(stack, { reason: 'no-such-folder', message, revision }, ports)
  }
  const state = stateOf(source, tree)
  /** What a user or a hook asks for meanwhile follows in the next pass. */
  const done = (now: StackSource): Partial<StackSource> => ({
    comparedRevision: revision,
    askedAt: now.askedAt === source.askedAt ? null : now.askedAt,
    hookAskedAt: now.hookAskedAt === source.hookAskedAt ? null : (now.hookAskedAt ?? null),
    problem: problemAfter(now, revision),
  })
  const decision = decideSync(source, state.treeId, stack)
  if (decision === 'nothing') {
    await changeBinding(stack, (now) => ({ ...done(now.source), waiting: null }), ports)
    return
  }
  if (decision === 'notify') {
    const isSaid = source.waiting?.treeId === state.treeId
    const saved = await changeBinding(
      stack,
      (now) => ({ ...done(now.source), waiting: state }),
      ports,
    )
    if (saved && !isSaid) {
      await reportSync(saved, { action: 'stacks.source.notice', state }, undefined, ports)
    }
    return
  }
  const folder = { ...open, path: source.path }
  const content = await readSource(folder, await ports.settings.get(), ports)
  const trigger = triggerOf(source, open.source)
  const next = (now: StackSource): StackSource => ({
    ...now,
    ...done(now),
    problem: null,
    waiting: null,
    isFreed: false,
    synced: { ...state, at: ports.clock.now() },
    deploys: decision === 'deploy' ? trigger : null,
    deploysAgain:
      isOtherAlso(source.synced, state.treeId) ||
      (now.deploys !== null && now.deploysAgain === true),
  })
  const saved = await takeFiles(stack, content, next, actor, ports, signal)
  if (saved) await reportSync(saved, { action: 'stacks.source.take', state }, actor.account, ports)
}

/** What a hook found before the stack was bound says nothing of it. */
function triggerOf({ askedAt, boundAt }: StackSource, { look }: Pick<Source, 'look'>): SyncTrigger {
  if (askedAt !== null) return 'user'
  return (look.hookAt ?? 0) >= boundAt ? 'hook' : 'look'
}

/** Why a deployment waits stays if a later revision has nothing new for the stack. */
function problemAfter(
  { deploys, problem, comparedRevision }: StackSource,
  revision: string,
): SyncProblem | null {
  const isOfDeployment = deploys !== null && problem?.revision === comparedRevision
  return isOfDeployment && problem ? { ...problem, revision } : null
}

/** Returns what a tree has for a stack. The texts are those of anyone who writes to the source. */
function stateOf({ path, also }: StackSource, { revision, about, idOf }: SourceTree): SourceState {
  const { author, subject, at } = about
  return {
    revision,
    treeId: [path, ...also].map((one) => idOf(one) ?? '').join(' '),
    ...(author !== undefined && { author: author.slice(0, textMax) }),
    ...(subject !== undefined && { subject: subject.slice(0, textMax) }),
    ...(at !== undefined && { madeAt: at }),
  }
}

/** Characters of an author or a subject. */
const textMax = 200
