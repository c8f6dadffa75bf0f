import { bindAccount } from '../acts-as/bind-account.ts'
import { requireWholeAccount } from '../acts-as/require-whole-account.ts'
import { conflict, notFound } from '../errors.ts'
import { changeRecord } from '../ports/change-record.ts'
import type { Collection, Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Hook } from '../records/hook.ts'

/** A stack or a source that has a hook. */
export interface HookOwner {
  /** Its name. */
  id: string
  createdAt: number
}

/** Hooks of one kind: those of stacks or those of sources. */
export interface HookKind<H extends Hook> {
  /** What has them, for messages. */
  owner: 'source' | 'stack'
  hooks: Collection<H>
  /** Returns whether a hook was made for this owner, not for an earlier one with its name. */
  isOf(owner: HookOwner, hook: H): boolean
}

/** Returns whether a request waits for work that has not begun. */
export const isWaiting = ({ askedAt, takenAt }: Hook): boolean =>
  askedAt !== null || (takenAt ?? null) !== null

/** The shortest time from the work of a hook, or from a look, to the next. Milliseconds. */
export const hookPause = 5_000

/**
 * Returns whether the work of a hook is to begin now.
 *
 * @param lastAt when it last did; undefined before the first time. A clock that was set back delays
 *   nothing
 */
export function isHookDue(hook: Hook, lastAt: number | undefined, now: number): boolean {
  const since = now - (lastAt ?? 0)
  return isWaiting(hook) && (since >= hookPause || since < 0)
}

/**
 * Lets the work that begins now follow the requests until now, and no later one: it may have looked
 * for what is newest already when that comes. Returns undefined if none waits.
 */
export const taken = (hook: Hook, now: number): Pick<Hook, 'askedAt' | 'takenAt'> | undefined =>
  isWaiting(hook)
    ? { askedAt: null, takenAt: hook.askedAt === null ? (hook.takenAt ?? null) : now }
    : undefined

/**
 * Frees the requests that were taken, once their work is done. After a pause of this process,
 * another one may have taken later requests: those stay.
 *
 * @param hook as it was when they were taken
 */
export const freed = (
  now: Pick<Hook, 'takenAt'>,
  { takenAt }: Pick<Hook, 'takenAt'>,
): Pick<Hook, 'takenAt'> => (now.takenAt === takenAt ? { takenAt: null } : {})

/**
 * Returns the hook of a stack or a source. One of an earlier owner with this name is none.
 *
 * @throws 404 if it has none
 */
export async function getHook<H extends Hook>(
  owner: HookOwner,
  kind: HookKind<H>,
): Promise<Stored<H>> {
  const hook = await kind.hooks.find(owner.id)
  if (!hook || !kind.isOf(owner, hook)) throw noHook(owner, kind)
  return hook
}

const noHook = ({ id }: HookOwner, { owner }: Pick<HookKind<Hook>, 'owner'>) =>
  notFound(`${owner} ${id}: it has no hook; make one with \`cli ${owner}s hook create ${id}\``)

/** The ports that making hooks needs, besides those of the hooks. */
export type HookChangePorts = Needs<'accounts' | 'clock' | 'random' | 'roles' | 'stacks'>

/**
 * Returns a new hook, whose work acts as the caller.
 *
 * @param stacks the names of the stacks that its work is about
 * @throws 403 if the credential may do less than its account
 */
export async function newHook(
  { id }: HookOwner,
  stacks: readonly string[],
  caller: Caller,
  ports: HookChangePorts,
): Promise<Hook> {
  return {
    id,
    address: text(ports.random.bytes(16)),
    ...(await newSecret(stacks, caller, ports)),
    createdAt: ports.clock.now(),
    acceptedAt: null,
    lastRefused: null,
  }
}

/**
 * Returns another secret of a hook, whose work acts as the caller from then on. What was asked for
 * with the earlier one is forgotten.
 *
 * @param stacks as of `newHook`
 * @throws 403 if the credential may do less than its account
 */
export async function newSecret(
  stacks: readonly string[],
  caller: Caller,
  ports: HookChangePorts,
): Promise<Pick<Hook, 'actsAs' | 'askedAt' | 'secret' | 'takenAt'>> {
  await requireWholeAccount(caller, 'a hook', ports)
  const secret = text(ports.random.bytes(32))
  const actsAs = await bindAccount(caller.account, stacks, ports)
  return { secret, actsAs, askedAt: null, takenAt: null }
}

/**
 * Stores a new hook.
 *
 * @throws 409 if its owner has one
 */
export async function addHook<H extends Hook>(
  owner: HookOwner,
  hook: H,
  kind: HookKind<H>,
): Promise<H> {
  const found = await kind.hooks.find(owner.id)
  if (found && !kind.isOf(owner, found)) await kind.hooks.remove(found.id, found.revision)
  if (await kind.hooks.create(hook)) return hook
  throw conflict(
    `${kind.owner} ${owner.id}: it has a hook already; rotate its secret, or delete it`,
    { reason: 'exists' },
  )
}

/**
 * Gives a hook another secret, and returns it.
 *
 * @param change of `newSecret`
 * @throws 404 if its owner has none
 */
export async function changeSecret<H extends Hook>(
  owner: HookOwner,
  change: Partial<H>,
  kind: HookKind<H>,
): Promise<H> {
  const hook = await getHook(owner, kind)
  const changed = await changeHook(hook, () => change, kind)
  if (!changed) throw noHook(owner, kind)
  return changed
}

/**
 * Deletes a hook.
 *
 * @throws 404 if its owner has none
 */
export async function removeHook<H extends Hook>(
  owner: HookOwner,
  kind: HookKind<H>,
): Promise<void> {
  const { id } = await getHook(owner, kind)
  await kind.hooks.remove(id)
}

/** Attempts to delete a hook while requests to it change it. */
const triesMax = 5

/** Deletes the hook of an owner that was deleted, if it had one. */
export async function removeHookOf<H extends Hook>(
  owner: HookOwner,
  { hooks, isOf }: Pick<HookKind<H>, 'hooks' | 'isOf'>,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const hook = await hooks.find(owner.id)
    // Another owner may have this name by now.
    if (!hook || !isOf(owner, hook) || (await hooks.remove(hook.id, hook.revision))) return
  }
}

/**
 * Changes a hook that was read. Returns it as written, or undefined if it was deleted, another one
 * was made, or `change` returns undefined.
 */
export async function changeHook<H extends Hook>(
  read: Pick<Hook, 'address' | 'id'>,
  change: (now: H) => Partial<H> | undefined,
  { owner, hooks }: Pick<HookKind<H>, 'hooks' | 'owner'>,
): Promise<Stored<H> | undefined> {
  const own = (now: H) => (now.address === read.address ? change(now) : undefined)
  return await changeRecord(hooks, read.id, own, `${owner} ${read.id}: its hook`)
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
