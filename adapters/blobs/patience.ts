import { setMaxListeners } from 'node:events'
import { Failure } from '../../functions/core/errors.ts'

/** Milliseconds. The idle timeout of a target. */
export const idleMilliseconds = 60_000

/** The options of one call to a target. */
export interface Patience {
  /** The name of the target for error messages. Contains no secret. */
  where: string
  idle: number
  signal?: AbortSignal
}

/**
 * Returns the result of the call. Rejects with a 500 after the idle timeout, or with the reason of
 * the signal. The call itself is not cancelled: the caller closes the connection.
 */
export function patiently<T>(work: Promise<T>, { where, idle, signal }: Patience): Promise<T> {
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
      reject(new Silence(where, idle))
    }, idle)
    if (signal) setMaxListeners(0, signal)
    signal?.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(end)
    if (signal?.aborted) stop()
  })
}

/** The target did not respond in time. */
export class Silence extends Failure {
  constructor(where: string, idle: number) {
    super(500, `${where} does not answer: nothing came for ${idle / 1000} s`)
  }
}

/** Runs the work for each thing, at most `most` at a time. Rejects with the first failure. */
export async function fewAtATime<T>(
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
export async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    // What remains is listed, and removed with the next cleanup.
  }
}

export const isFailure = (error: unknown): error is Failure => error instanceof Failure
