import { overloaded } from '../errors.ts'
import type { CallerLimiter } from '../ports/caller-limiter.ts'
import { Semaphore } from '../semaphore.ts'

/** The number of requests of one account that a process handles at the same time. */
export const requestsPerCaller = 16
/** The number of further requests that may wait. */
const waitingMax = 200

interface Calls {
  turns: Semaphore
  /** Requests that wait or are being handled. */
  open: number
}

/**
 * Limits how many requests of each account run at the same time; further ones wait in order of
 * arrival. An account that sends hundreds of costly requests at once delays only itself.
 */
export class CallerQueues implements CallerLimiter {
  readonly #callers = new Map<string, Calls>()

  /** @throws 500 if too many requests of the account are already waiting */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const calls = this.#callers.get(accountId) ?? {
      turns: new Semaphore(requestsPerCaller),
      open: 0,
    }
    if (calls.open >= requestsPerCaller + waitingMax) throw tooMany(calls.open)
    calls.open += 1
    this.#callers.set(accountId, calls)
    try {
      return await calls.turns.run(work)
    } finally {
      calls.open -= 1
      if (calls.open === 0) this.#callers.delete(accountId)
    }
  }
}

const tooMany = (open: number) =>
  overloaded(
    `your account has ${open} open requests, which is the limit: wait until some have ended`,
  )
