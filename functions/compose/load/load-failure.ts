import { refusedByPolicy, unprocessable } from '../errors.ts'
import { Problem, problemLines } from '../yaml/problem.ts'
import type { LoadContext } from './load-file.ts'
import { UnreadFiles } from './unread-files.ts'
import { withLocation } from './with-location.ts'

/** Ends a load that needs the texts of more files. */
export function refuseUnread({ files }: LoadContext): void {
  if (files.requested.size > 0) throw new UnreadFiles([...files.requested])
}

/**
 * Checks that the stack has all files that its files require.
 *
 * @throws 422 with a line for each missing one
 */
export function refuseMissing(context: LoadContext): void {
  const { missing } = context.files
  const lines = missing.map((problem) => withLocation(problem, context))
  if (lines.length > 0)
    throw unprocessable(problemLines([...new Set(lines)]), { cause: missing[0] })
}

/**
 * Returns the failure for what ended a load; errors that are no fault of the files stay as they
 * are.
 */
export function failureOf(error: unknown, context: LoadContext): unknown {
  if (error instanceof Problem) {
    const refuse = error.kind === 'policy' ? refusedByPolicy : unprocessable
    return refuse(withLocation(error, context), { cause: error })
  }
  // The call stack overflowed. No hand-written file is nested that deeply.
  if (error instanceof RangeError) {
    return unprocessable('the compose file is nested too deeply', { cause: error })
  }
  return error
}
