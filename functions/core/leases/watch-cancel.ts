import { conflict, type Failure } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { CancelRequest } from '../records/cancel-request.ts'

/**
 * Milliseconds between two reads of the cancel request, and before the first one. Work that ends
 * sooner never reads it.
 */
const pollInterval = 1_000

/** Returns the failure with which cancelled work ends. */
export const cancelledBy = ({ by }: CancelRequest): Failure =>
  conflict(`cancelled by ${by}`, { reason: 'conflict' })

/**
 * Polls the store, by `find`, for a request to cancel work while it runs. Any process can have
 * written the request.
 */
export function watchCancel(
  find: () => Promise<CancelRequest | undefined>,
  { clock }: Needs<'clock'>,
) {
  const cancel = new AbortController()
  const stopped = new AbortController()
  const poll = async () => {
    while (!stopped.signal.aborted && !cancel.signal.aborted) {
      await clock.sleep(pollInterval, stopped.signal)
      if (stopped.signal.aborted) return
      const request = await find().catch(ignoreFailure('look for a request to cancel'))
      if (request) cancel.abort(cancelledBy(request))
    }
  }
  const polling = markHandled(poll())
  const stop = async () => {
    stopped.abort()
    await polling
  }
  return {
    /** Aborted once a user has cancelled the work, with a `Failure` that says who. */
    signal: cancel.signal,
    /** Ends the polling. */
    stop,
    /**
     * Ends the polling: from then on the work cannot be cancelled.
     *
     * @param close refuses later requests in the store, or returns the one that came first
     * @throws the reason of the signal if a user has cancelled the work
     */
    async commit(close: () => Promise<CancelRequest | undefined>) {
      await stop()
      const request = await close()
      if (request) cancel.abort(cancelledBy(request))
      cancel.signal.throwIfAborted()
    },
  }
}
