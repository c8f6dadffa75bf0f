import { conflict, type Failure } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { CancelRequest } from '../records/cancel-request.ts'
import type { Deployment } from '../records/deployment.ts'

/**
 * The time between two looks for a request to cancel. The first one comes after it, so a deployment
 * that is shorter never looks. Milliseconds.
 */
const interval = 1_000

/** Returns why a deployment ends that a user cancelled. */
export const cancelledBy = ({ by }: CancelRequest): Failure =>
  conflict(`cancelled by ${by}`, { reason: 'conflict' })

/**
 * Looks for a request to cancel a deployment while it runs. Any process can store it, so the store
 * is asked.
 */
export function watchCancel(
  { stack, id }: Pick<Deployment, 'stack' | 'id'>,
  { clock, deployments }: Needs<'clock' | 'deployments'>,
) {
  const cancel = new AbortController()
  const over = new AbortController()
  const watch = async () => {
    while (!over.signal.aborted && !cancel.signal.aborted) {
      await clock.sleep(interval, over.signal)
      if (over.signal.aborted) return
      const request = await deployments
        .findCancelRequest(stack, id)
        .catch(ignoreFailure('look for a request to cancel a deployment'))
      if (request) cancel.abort(cancelledBy(request))
    }
  }
  const watching = markHandled(watch())
  return {
    /** Aborted once a user has cancelled the deployment, with a `Failure` that says who. */
    signal: cancel.signal,
    /** Ends the looking. */
    async stop() {
      over.abort()
      await watching
    },
  }
}
