import type { ComponentChildren } from 'preact'
import type { Resource } from '../data/resource-cache.ts'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/skeleton.tsx'

interface LoadedProps<T> {
  of: Resource<T>
  /** What is loaded: "hosts". */
  what: string
  /** What is said if it fails: "The hosts could not be loaded". */
  failed: string
  rows?: number
  children: (value: T) => ComponentChildren
}

/** Shows what a resource holds: its skeleton until then, and its problem if there is one. */
export function Loaded<T>({ of, what, failed, rows = 6, children }: LoadedProps<T>) {
  const value = of.value.value
  const problem = of.problem.value
  return (
    <>
      {problem && <Problem title={failed} {...problem} onRetry={() => void of.reload()} />}
      {value === undefined && !problem && <Skeleton what={what} rows={rows} />}
      {value !== undefined && children(value)}
    </>
  )
}
