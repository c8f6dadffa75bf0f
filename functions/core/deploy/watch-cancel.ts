import { conflict, type Failure } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { CancelRequest } from '../records/cancel-request.ts'
import type { Deployment } from '../records/deployment.ts'

/**
 * Milliseconds between two reads of the cancel request, and before the first one. A deployment that
 * ends sooner never reads it.
 */
const pollInterval = 1_000

/** Returns the failure with which a cancelled deployment ends. */
export const cancelledBy = ({ by }: CancelRequest): Failure =>
  conflict(`cancelled by ${by}`, { reason: 'conflict' })

/**
 * Polls the store for a request to cancel a deployment while it runs. Any process can have written
 * the request.
 */
export function watchCancel(
  { stack, id }: Pick<Deployment, 'stack' | 'id'>,
  { clock, deployments }: Needs<'clock' | 'deployments'>,
) {
  const cancel = new AbortController()
  const stopped = new AbortController()
  const poll = async () => {
    while (!stopped.signal.aborted && !cancel.signal.aborted) {
      await clock.sleep(pollInterval, stopped.signal)
      if (stopped.signal.aborted) return
      const request = await deployments
        .findCancelRequest(stack, id)
        .catch(ignoreFailure('look for a request to cancel a deployment'))
      if (request) cancel.abort(cancelledBy(request))
    }
  }
  const polling = markHandled(poll())
  return {
    /** Aborted once a user has cancelled the deployment, with a `Failure` that says who. */
    signal: cancel.signal,
    /** Ends the polling. */
    async stop() {
      stopped.abort()
      await polling
    },
  }
}
