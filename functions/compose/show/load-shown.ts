import { Failure } from '../errors.ts'
import { loadProject } from '../load/load.ts'
import { failureOf, refuseMissing, refuseUnread } from '../load/load-failure.ts'
import type { LoadContext } from '../load/load-file.ts'
import { deployOptions } from '../load/load-options.ts'
import { newContext } from '../load/new-context.ts'
import type { Placeholders } from '../load/placeholders.ts'
import type { ComposeInput, Project } from '../project.ts'

/**
 * Returns what `read` returns for the project that the files describe. With `hidden`, its
 * expressions have placeholders.
 *
 * @throws 422 if the files are not valid; the message shows expressions as they are written
 */
export function loadShown<T>(
  input: ComposeInput,
  hidden: Placeholders | undefined,
  read: (project: Project, context: LoadContext) => T,
): T {
  const options = deployOptions(input)
  const context = newContext(input, options, new Map(), hidden)
  try {
    const result = read(loadProject(input, options, context), context)
    refuseUnread(context)
    refuseMissing(context)
    return result
  } catch (error) {
    throw restored(refusal(error, context), hidden)
  }
}

/** Returns the failure to report: files that are not read or missing come first, as in `load`. */
function refusal(error: unknown, context: LoadContext): unknown {
  try {
    refuseUnread(context)
    refuseMissing(context)
    return failureOf(error, context)
  } catch (first) {
    return first
  }
}

/** Returns a failure whose message shows expressions as they are written. */
function restored(error: unknown, hidden: Placeholders | undefined): unknown {
  if (!hidden || !(error instanceof Failure)) return error
  const { status, reason } = error
  return new Failure(status, hidden.restore(error.message), reason && { reason })
}
