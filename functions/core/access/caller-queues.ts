import { overloaded } from '../errors.ts'
import type { CallerLimiter } from '../ports/caller-limiter.ts'
import { Semaphore } from '../semaphore.ts'

/** The number of requests of one account that a process handles at the same time. */
export const requestsPerCaller = 16
/** The number of further requests that may wait. */
const waitingMax = 200
/** How much work goes on after its response at the same time: of one account, and of all. */
const backgroundPerCaller = 8
const backgroundMax = 32

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
  /** The accounts of the work in the background. */
  readonly #background: string[] = []

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

  /** @throws 500 if too much work of the account, or of all accounts, is under way */
  startInBackground(accountId: string): () => void {
    const ofAccount = this.#background.filter((one) => one === accountId)
    if (ofAccount.length >= backgroundPerCaller) {
      throw tooMuchInBackground('your account', backgroundPerCaller)
    }
    if (this.#background.length >= backgroundMax) {
      throw tooMuchInBackground('the service', backgroundMax)
    }
    this.#background.push(accountId)
    return () => void this.#background.splice(this.#background.indexOf(accountId), 1)
  }
}

const tooMuchInBackground = (whose: string, max: number) =>
  overloaded(
    `${whose} already has ${max} operations under way, which is the limit: wait until one has ended`,
  )

const tooMany = (open: number) =>
  overloaded(
    `your account has ${open} open requests, which is the limit: wait until some have ended`,
  )
