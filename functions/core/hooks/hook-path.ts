import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Hook } from '../records/hook.ts'
import type { HookKind } from './hook-record.ts'

/** The path segment of the hook of a stack is `<stack>.<random>`: neither part has a dot. */
const separator = '.'
/** That of a source has one part more. */
const ofSource = `source${separator}`

type Addressed = Pick<Hook, 'address' | 'id'>

/** The path segment of the address of the hook of a stack. */
export const stackHookPath = ({ id, address }: Addressed): string => `${id}${separator}${address}`

/** The path segment of the address of the hook of a source. */
export const sourceHookPath = (hook: Addressed): string => `${ofSource}${stackHookPath(hook)}`

/** A hook that a request names. */
export interface FoundHook {
  hook: Stored<Hook>
  kind: Pick<HookKind<Hook>, 'hooks' | 'owner'>
}

/** Returns the hook with this path segment, which anyone may have sent. */
export async function findByPath(
  path: string,
  { sourceHooks, stackHooks }: Needs<'sourceHooks' | 'stackHooks'>,
): Promise<FoundHook | undefined> {
  const named = path.slice(0, Math.max(0, path.lastIndexOf(separator)))
  const isOfSource = named.startsWith(ofSource)
  const id = isOfSource ? named.slice(ofSource.length) : named
  const kind: FoundHook['kind'] = isOfSource
    ? { owner: 'source', hooks: sourceHooks }
    : { owner: 'stack', hooks: stackHooks }
  const hook = id === '' ? undefined : await kind.hooks.find(id)
  if (!hook) return undefined
  const own = isOfSource ? sourceHookPath(hook) : stackHookPath(hook)
  return own === path ? { hook, kind } : undefined
}
