import { setMaxListeners } from 'node:events'
import { Failure } from '../../functions/core/errors.ts'

/** How long a target may be silent in the middle of something. Milliseconds. */
export const idleMilliseconds = 60_000

/** One call of a target: how long it may be silent, who may stop it, and what it is called in errors. */
export interface Patience {
  /** Of the target, for people; no secret is in it. */
  where: string
  idle: number
  signal?: AbortSignal
}

/**
 * What the target answers; a `Failure` 500 when it is silent for too long, or the reason of the signal. The call itself may
 * go on: whoever waits no longer closes the connection.
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

/** It did not answer in time. */
export class Silence extends Failure {
  constructor(where: string, idle: number) {
    super(500, `${where} does not answer: nothing came for ${idle / 1000} s`)
  }
}

/** Does things a few at a time; the first that fails ends it. */
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

/** Tries to clear away after a failure: another is not worth telling of. */
export async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    // What is left is listed, and removed with the next one.
  }
}

export const isFailure = (error: unknown): error is Failure => error instanceof Failure
