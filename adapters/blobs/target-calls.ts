import { setMaxListeners } from 'node:events'
import { Failure } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'

/** Milliseconds. The idle timeout of a target. */
export const idleMilliseconds = 60_000

/** The options of one call to a target. */
export interface IdleTimeout {
  /** The name of the target for error messages. Contains no secret. */
  where: string
  idle: number
  signal?: AbortSignal
}

/**
 * Returns the result of the call. Rejects with a 500 after the idle timeout, or with the reason of
 * the signal. The call itself is not cancelled: the caller closes the connection.
 */
export function withIdleTimeout<T>(
  work: Promise<T>,
  { where, idle, signal }: IdleTimeout,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const stop = () => {
      end()
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      end()
      reject(new IdleTimeoutError(where, idle))
    }, idle)
    if (signal) setMaxListeners(0, signal)
    signal?.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(end)
    if (signal?.aborted) stop()
  })
}

/** The target did not respond in time. */
export class IdleTimeoutError extends Failure {
  constructor(where: string, idle: number) {
    super(500, `${where} does not respond: no data for ${idle / 1000} s`)
  }
}

/** Runs the work for each thing, at most `most` at a time. Rejects with the first failure. */
export async function forEachConcurrently<T>(
  things: readonly T[],
  work: (one: T) => Promise<void>,
  most = 8,
): Promise<void> {
  const rest = [...things]
  const worker = async () => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(most, things.length) }, worker))
}

/** Runs a cleanup after a failure and ignores its errors. */
export async function bestEffort(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // What remains is listed, and removed with the next cleanup.
    ignoreError('clean up a backup target')(error)
  }
}

export const isFailure = (error: unknown): error is Failure => error instanceof Failure
