import { type Knowledge, knowledgeOf } from './loadable.ts'
import type { Validation } from './validate-stack.ts'

/**
 * Returns what is known of the files as they are now. Problems that were found before a change may
 * be gone, and others may have come.
 */
export function knownOf({ problems, failure, isChecking }: Validation): Knowledge {
  if (isChecking.value) return 'loading'
  const isFailed = failure.value !== undefined
  return knowledgeOf({
    value: { value: isFailed ? undefined : problems.value },
    problem: failure,
  })
}
