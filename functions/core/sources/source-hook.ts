import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import {
  addHook,
  changeSecret,
  getHook,
  type HookChangePorts,
  type HookKind,
  type HookOwner,
  newHook,
  newSecret,
  removeHook,
  removeHookOf,
} from '../hooks/hook-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { SourceHook } from '../records/source-hook.ts'

export type SourceHookChangePorts = HookChangePorts & Needs<'sourceHooks'>

/** The hooks of sources. */
export const ofSources = ({ sourceHooks }: Needs<'sourceHooks'>): HookKind<SourceHook> => ({
  owner: 'source',
  hooks: sourceHooks,
  isOf: isOfSource,
})

/** Returns whether a hook was made for this source, not for an earlier one with its name. */
export const isOfSource = (
  { createdAt }: Pick<HookOwner, 'createdAt'>,
  { sourceCreatedAt }: Pick<SourceHook, 'sourceCreatedAt'>,
): boolean => sourceCreatedAt === createdAt

/**
 * Returns the hook of a source.
 *
 * @throws 404 if it has none
 */
export const getSourceHook = (
  source: HookOwner,
  ports: Needs<'sourceHooks'>,
): Promise<Stored<SourceHook>> => getHook(source, ofSources(ports))

/**
 * Makes the hook of a source. Its looks need the rights of the caller.
 *
 * @throws 409 if the source has one, 403 if the credential may do less than its account
 */
export async function createSourceHook(
  source: HookOwner,
  caller: Caller,
  ports: SourceHookChangePorts,
): Promise<SourceHook> {
  const made = await newHook(source, [], caller, ports)
  const hook = { ...made, sourceCreatedAt: source.createdAt, lastLook: null }
  return addHook<SourceHook>(source, hook, ofSources(ports))
}

/**
 * Gives the hook of a source another secret. Its looks need the rights of the caller from then on.
 *
 * @throws 404 if the source has none, 403 if the credential may do less than its account
 */
export async function rotateSourceHook(
  source: HookOwner,
  caller: Caller,
  ports: SourceHookChangePorts,
): Promise<SourceHook> {
  const secret = await newSecret([], caller, ports)
  return changeSecret<SourceHook>(source, secret, ofSources(ports))
}

/**
 * Deletes the hook of a source.
 *
 * @throws 404 if it has none
 */
export const removeSourceHook = (source: HookOwner, ports: Needs<'sourceHooks'>): Promise<void> =>
  removeHook(source, ofSources(ports))

/** Deletes the hook of a source that was deleted, if it had one. */
export const removeHookOfSource = (source: HookOwner, ports: Needs<'sourceHooks'>): Promise<void> =>
  removeHookOf(source, ofSources(ports))

const looks = {
  part: 'looks',
  permission: 'registries:manage' as const,
  everyHost: true as const,
}

/**
 * Decides whether the hook of a source may begin a look at it now. The look itself has the rights
 * of the source.
 *
 * @throws what the store throws: it is unknown then whether it may, so it must not
 */
export async function judgeSourceHook(
  { actsAs }: Pick<SourceHook, 'actsAs'>,
  ports: JudgePorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const standing = await judgeLaterWork({ actsAs, needs: [looks] }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the hook has no account: rotate its secret' }
}

/** Returns why a hook may have nothing looked at, or null. */
export async function whySourceHookBlocked(
  hook: Pick<SourceHook, 'actsAs'>,
  ports: JudgePorts,
): Promise<string | null> {
  const standing = await judgeSourceHook(hook, ports)
  return standing.kind === 'blocked' ? standing.reason : null
}
