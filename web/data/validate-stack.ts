import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { backoff } from './backoff.ts'
import { asProblem, isTemporary, type Problem } from './problem.ts'

export type StackToValidate = components['schemas']['StackToValidate']
export type StackProblem = components['schemas']['StackProblem']

export interface Validation {
  /** Undefined until the first response, and while there is nothing to check. */
  problems: ReadonlySignal<readonly StackProblem[] | undefined>
  /** Why the files could not be checked. */
  failure: ReadonlySignal<Problem | undefined>
  /** What is shown is older than the files. */
  isChecking: ReadonlySignal<boolean>
}

/** Milliseconds without a change before the files are sent. */
const pause = 400

/**
 * Checks files while they are edited, again each time that they change, and again after a failure
 * that may pass. A response that is older than the files is dropped.
 *
 * @param files what to check, or undefined if there is nothing to check or it is not permitted
 */
export function useValidation(files: StackToValidate | undefined): Validation {
  const problems = useSignal<readonly StackProblem[] | undefined>(undefined)
  const failure = useSignal<Problem | undefined>(undefined)
  const isChecking = useSignal(false)
  const body = files && JSON.stringify(files)
  // Before the page is painted, so that it never says of these files what was found in others.
  useLayoutEffect(() => {
    isChecking.value = body !== undefined
  }, [body])
  useEffect(() => {
    if (body === undefined) {
      problems.value = undefined
      failure.value = undefined
      return
    }
    const stop = new AbortController()
    let attempt = 0
    const check = async () => {
      try {
        const sent = { body: JSON.parse(body) as StackToValidate, signal: stop.signal }
        const found = await unwrap(api.POST('/stacks/validate', sent))
        if (stop.signal.aborted) return
        problems.value = found
        failure.value = undefined
      } catch (error) {
        if (stop.signal.aborted) return
        const why = asProblem(error)
        failure.value = why
        if (isTemporary(why)) timer = setTimeout(() => void check(), backoff(attempt))
        attempt += 1
      }
      isChecking.value = false
    }
    let timer = setTimeout(() => void check(), problems.peek() === undefined ? 0 : pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [body])
  return useMemo(() => ({ problems, failure, isChecking }), [])
}
