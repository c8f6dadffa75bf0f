import {
  addHook,
  type HookChangePorts as ChangePorts,
  changeSecret,
  removeHook as deleteHook,
  getHook as findHook,
  type HookKind,
  type HookOwner,
  newHook,
  newSecret,
} from '../hooks/hook-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackHook } from '../records/stack-hook.ts'
import { isHookOf } from '../stacks/stack-hook.ts'

export type HookChangePorts = ChangePorts & Needs<'stackHooks'>

/** The hooks of stacks. */
export const ofStacks = ({ stackHooks }: Needs<'stackHooks'>): HookKind<StackHook> => ({
  owner: 'stack',
  hooks: stackHooks,
  isOf: isHookOf,
})

/**
 * Returns the hook of a stack. One of an earlier stack with this name is none.
 *
 * @throws 404 if it has none
 */
export const getHook = (stack: HookOwner, ports: Needs<'stackHooks'>): Promise<Stored<StackHook>> =>
  findHook(stack, ofStacks(ports))

/**
 * Makes the hook of a stack. Its deployments act as the caller.
 *
 * @throws 409 if the stack has one, 403 if the credential may do less than its account
 */
export async function createHook(
  stack: HookOwner,
  caller: Caller,
  ports: HookChangePorts,
): Promise<StackHook> {
  const made = await newHook(stack, [stack.id], caller, ports)
  return addHook<StackHook>(stack, { ...made, lastDeployment: null }, ofStacks(ports))
}

/**
 * Gives the hook of a stack another secret. Its deployments act as the caller from then on.
 *
 * @throws 404 if the stack has none, 403 if the credential may do less than its account
 */
export async function rotateHook(
  stack: HookOwner,
  caller: Caller,
  ports: HookChangePorts,
): Promise<StackHook> {
  const secret = await newSecret([stack.id], caller, ports)
  return changeSecret<StackHook>(stack, secret, ofStacks(ports))
}

/**
 * Deletes the hook of a stack.
 *
 * @throws 404 if it has none
 */
export const removeHook = (stack: HookOwner, ports: Needs<'stackHooks'>): Promise<void> =>
  deleteHook(stack, ofStacks(ports))
