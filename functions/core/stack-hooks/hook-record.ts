import { bindAccount } from '../acts-as/bind-account.ts'
import { requireWholeAccount } from '../acts-as/require-whole-account.ts'
import { conflict, notFound } from '../errors.ts'
import { changeRecord } from '../ports/change-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackHook } from '../records/stack-hook.ts'

/** The path of a hook is `<stack>.<random>`. */
const separator = '.'

/** The path segment of the address of a hook. */
export const hookPath = ({ id, address }: Pick<StackHook, 'id' | 'address'>): string =>
  `${id}${separator}${address}`

/** Returns the hook with this path segment, which anyone may have sent. */
export async function findByPath(
  path: string,
  { stackHooks }: Needs<'stackHooks'>,
): Promise<Stored<StackHook> | undefined> {
  const stack = path.slice(0, Math.max(0, path.lastIndexOf(separator)))
  const hook = stack === '' ? undefined : await stackHooks.find(stack)
  return hook && hookPath(hook) === path ? hook : undefined
}

/**
 * Returns the hook of a stack. One of an earlier stack with this name is none.
 *
 * @throws 404 if it has none
 */
export async function getHook(
  stack: Pick<StackRecord, 'id' | 'createdAt'>,
  { stackHooks }: Needs<'stackHooks'>,
): Promise<Stored<StackHook>> {
  const hook = await stackHooks.find(stack.id)
  if (!hook || !isOf(stack, hook)) throw noHook(stack.id)
  return hook
}

const noHook = (stack: string) =>
  notFound(`stack ${stack}: it has no hook; make one with \`cli stacks hook create ${stack}\``)

/** Returns whether a request waits for a deployment that has not begun. */
export const isWaiting = ({ askedAt, takenAt }: StackHook): boolean =>
  askedAt !== null || (takenAt ?? null) !== null

/** Returns whether a hook was made for this stack, not for an earlier one with its name. */
export const isOf = ({ createdAt }: Pick<StackRecord, 'createdAt'>, { actsAs }: StackHook) =>
  actsAs.stacks[0]?.createdAt === createdAt

export type HookChangePorts = Needs<
  'accounts' | 'clock' | 'random' | 'roles' | 'stackHooks' | 'stacks'
>

/**
 * Makes the hook of a stack. Its deployments act as the caller.
 *
 * @throws 409 if the stack has one, 403 if the credential may do less than its account
 */
export async function createHook(
  stack: Stored<StackRecord>,
  caller: Caller,
  ports: HookChangePorts,
): Promise<StackHook> {
  const { clock, random, stackHooks } = ports
  await requireWholeAccount(caller, 'a hook', ports)
  const hook: StackHook = {
    id: stack.id,
    address: text(random.bytes(16)),
    secret: text(random.bytes(32)),
    actsAs: await bindAccount(caller.account, [stack.id], ports),
    createdAt: clock.now(),
    askedAt: null,
    takenAt: null,
    acceptedAt: null,
    lastRefused: null,
    lastDeployment: null,
  }
  const found = await stackHooks.find(stack.id)
  if (found && !isOf(stack, found)) await stackHooks.remove(found.id, found.revision)
  if (!(await stackHooks.create(hook))) {
    throw conflict(`stack ${stack.id}: it has a hook already; rotate its secret, or delete it`, {
      reason: 'exists',
    })
  }
  return hook
}

/**
 * Gives the hook of a stack another secret. Its deployments act as the caller from then on.
 *
 * @throws 404 if the stack has none, 403 if the credential may do less than its account
 */
export async function rotateHook(
  stack: Stored<StackRecord>,
  caller: Caller,
  ports: HookChangePorts,
): Promise<StackHook> {
  await requireWholeAccount(caller, 'a hook', ports)
  const secret = text(ports.random.bytes(32))
  const actsAs = await bindAccount(caller.account, [stack.id], ports)
  const hook = await getHook(stack, ports)
  const changed = await changeHook(
    hook,
    () => ({ secret, actsAs, askedAt: null, takenAt: null }),
    ports,
  )
  if (!changed) throw noHook(stack.id)
  return changed
}

/**
 * Deletes the hook of a stack.
 *
 * @throws 404 if it has none
 */
export async function removeHook(
  stack: Pick<StackRecord, 'id' | 'createdAt'>,
  ports: Needs<'stackHooks'>,
): Promise<void> {
  const { id } = await getHook(stack, ports)
  await ports.stackHooks.remove(id)
}

/**
 * Changes a hook that was read. Returns it as written, or undefined if it was deleted, another one
 * was made, or `change` returns undefined.
 */
export async function changeHook(
  read: Pick<StackHook, 'id' | 'address'>,
  change: (now: StackHook) => Partial<StackHook> | undefined,
  { stackHooks }: Needs<'stackHooks'>,
): Promise<Stored<StackHook> | undefined> {
  const own = (now: StackHook) => (now.address === read.address ? change(now) : undefined)
  return await changeRecord(stackHooks, read.id, own, `stack ${read.id}: its hook`)
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
