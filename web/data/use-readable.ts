import { useEffect } from 'preact/hooks'
import { resource } from './cache.ts'
import type { ReadParams, ReadPath, ReadValue } from './paths.ts'
import type { Problem } from './problem.ts'
import { can } from './session.ts'

/** What a reader may see of a resource, as values of this moment. */
export interface Readable<T> {
  value: T | undefined
  problem: Problem | undefined
  /** There is a value or a problem, or the reader may not see it. */
  isSettled: boolean
  reload(): void
}

/** Reads a resource if the reader has the permission; without it there is no value. */
export function useReadable<P extends ReadPath>(
  permission: string,
  path: P,
  params?: ReadParams<P>,
): Readable<ReadValue<P>> {
  const entry = resource(path, params)
  const isAllowed = can(permission)
  useEffect(() => (isAllowed ? entry.retain() : undefined), [entry, isAllowed])
  const value = isAllowed ? entry.value.value : undefined
  const problem = isAllowed ? entry.problem.value : undefined
  return {
    value,
    problem,
    isSettled: !isAllowed || value !== undefined || problem !== undefined,
    reload: () => void entry.reload(),
  }
}
