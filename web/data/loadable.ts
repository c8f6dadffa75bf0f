import type { Problem } from './problem.ts'

/** A signal, or a value of this moment. */
interface Read<T> {
  readonly value: T
}

/** What may not be known yet: a resource, or what a feed has sent. */
export interface Loadable<T> {
  /** Undefined until it is known. */
  value: Read<T | undefined>
  /** Why it could not be loaded, or not again. */
  problem: Read<Problem | undefined>
  /** Tries again. */
  reload?: () => Promise<void> | void
}

/** What a page can say about it. Only what is known can be empty. */
export type Knowledge = 'loading' | 'failed' | 'empty' | 'shown'

/** Returns what a page can say about a value at this moment. */
export function knowledgeOf<T>(
  { value, problem }: Pick<Loadable<T>, 'value' | 'problem'>,
  isEmpty: (value: T) => boolean = hasNoEntries,
): Knowledge {
  if (value.value !== undefined) return isEmpty(value.value) ? 'empty' : 'shown'
  return problem.value ? 'failed' : 'loading'
}

const hasNoEntries = (value: unknown) => Array.isArray(value) && value.length === 0
