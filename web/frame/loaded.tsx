import type { ComponentChildren } from 'preact'
import { knowledgeOf, type Loadable } from '../data/loadable.ts'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/skeleton.tsx'

interface LoadedProps<T> {
  of: Loadable<T>
  /** What is loaded: "hosts". */
  what: string
  /** What is said if it fails: "The hosts could not be loaded". */
  failed: string
  rows?: number
  /** What is shown if there is nothing: `Empty` with the next step. */
  empty?: ComponentChildren
  /** Returns whether there is nothing to show, if that is not a list without entries. */
  isEmpty?: (value: T) => boolean
  children: (value: T) => ComponentChildren
}

/**
 * Shows what is loaded: its skeleton until it is known, its problem if there is one, what is said
 * if there is nothing, or else the value.
 */
export function Loaded<T>(props: LoadedProps<T>) {
  const { of, what, failed, rows = 6, empty, isEmpty, children } = props
  const value = of.value.value
  const problem = of.problem.value
  const state = knowledgeOf(of, isEmpty)
  const { reload } = of
  return (
    <>
      {problem && <Problem title={failed} {...problem} onRetry={reload && (() => void reload())} />}
      {state === 'loading' && <Skeleton what={what} rows={rows} />}
      {state === 'empty' && empty !== undefined ? empty : value !== undefined && children(value)}
    </>
  )
}
