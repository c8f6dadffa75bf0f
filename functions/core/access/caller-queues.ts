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
/**
 * How many whole logs are read at the same time: by one account, and by all. An agent has 4096
 * streams for everything.
 */
export const logsPerCaller = 400
const logsMax = 2000
/** The number of requests of one account that may wait for the end of an operation. */
const waitsPerCaller = 100

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
  /** The logs that are being read, those of a feed together. */
  readonly #reading = new Set<{ accountId: string; logs: number }>()
  /** How many requests of each account wait for the end of an operation. */
  readonly #waits = new Map<string, number>()

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

  /** @throws 500 if the account, or all accounts, read too many, unless these are the only ones */
  startReading(accountId: string, logs: number): () => void {
    const all = [...this.#reading]
    const own = all.filter((one) => one.accountId === accountId)
    if (isTooMuch(own, logs, logsPerCaller)) throw tooManyLogs('your account', logsPerCaller)
    if (isTooMuch(all, logs, logsMax)) throw tooManyLogs('the service', logsMax)
    const reading = { accountId, logs }
    this.#reading.add(reading)
    return () => void this.#reading.delete(reading)
  }

  /** @throws 500 if too many requests of the account wait for the end of an operation */
  startWaiting(accountId: string): () => void {
    const waits = this.#waits.get(accountId) ?? 0
    if (waits >= waitsPerCaller) throw tooMany(waits)
    this.#waits.set(accountId, waits + 1)
    return () => {
      const left = (this.#waits.get(accountId) ?? 1) - 1
      if (left === 0) this.#waits.delete(accountId)
      else this.#waits.set(accountId, left)
    }
  }
}

/** A stack with more containers than the limit can be read too, alone. */
const isTooMuch = (reading: readonly { logs: number }[], more: number, max: number) =>
  reading.length > 0 && reading.reduce((sum, { logs }) => sum + logs, more) > max

const tooManyLogs = (whose: string, max: number) =>
  overloaded(
    `${whose} already reads many whole logs, and ${max} are the limit: wait until some have been read`,
  )

const tooMuchInBackground = (whose: string, max: number) =>
  overloaded(
    `${whose} already has ${max} operations under way, which is the limit: wait until one has ended`,
  )

const tooMany = (open: number) =>
  overloaded(
    `your account has ${open} open requests, which is the limit: wait until some have ended`,
  )
