import { type Failure, leaseHeld, overloaded } from '../errors.ts'
import type { CallerLimiter } from '../ports/caller-limiter.ts'
import { Semaphore } from '../semaphore.ts'
import { DailyKeys } from './daily-keys.ts'

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
  readonly #background = new Shares({
    perCaller: backgroundPerCaller,
    all: backgroundMax,
    refusal: tooMuchInBackground,
  })
  /** Logs that are being read, those of a feed together. */
  readonly #reading = new Shares({
    perCaller: logsPerCaller,
    all: logsMax,
    refusal: tooManyLogs,
  })
  /** Requests that wait for the end of an operation. */
  readonly #waits = new Shares({
    perCaller: waitsPerCaller,
    all: Number.POSITIVE_INFINITY,
    refusal: (_whose, max) => tooMany(max),
  })
  /** Applies of an estate. Each holds a large body for as long as it takes. */
  readonly #applies = new Shares({
    perCaller: 1,
    all: Number.POSITIVE_INFINITY,
    refusal: alreadyApplies,
  })
  readonly #keys = new DailyKeys()

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
    return this.#background.take(accountId, 1)
  }

  /** @throws 500 if the account, or all accounts, read too many, unless these are the only ones */
  startReading(accountId: string, logs: number): () => void {
    return this.#reading.take(accountId, logs)
  }

  /** @throws 500 if too many requests of the account wait for the end of an operation */
  startWaiting(accountId: string): () => void {
    return this.#waits.take(accountId, 1)
  }

  /** @throws 409 if the account has an apply under way */
  startApplying(accountId: string): () => void {
    return this.#applies.take(accountId, 1)
  }

  /** @throws 409 if the account has used too many keys within a day */
  takeKey(accountId: string, now: number): () => void {
    return this.#keys.take(accountId, now)
  }
}

/** How much of something may be in use at the same time: by one account, and by all. */
interface Limits {
  perCaller: number
  all: number
  refusal(whose: string, max: number): Failure
}

interface Share {
  accountId: string
  amount: number
}

/** Counts what accounts use at the same time, and refuses more than the limits. */
class Shares {
  readonly #taken = new Set<Share>()
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Counts an amount until the returned function is called. */
  take(accountId: string, amount: number): () => void {
    const { perCaller, all, refusal } = this.#limits
    const taken = [...this.#taken]
    const own = taken.filter((one) => one.accountId === accountId)
    if (isTooMuch(own, amount, perCaller)) throw refusal('your account', perCaller)
    if (isTooMuch(taken, amount, all)) throw refusal('the service', all)
    const share = { accountId, amount }
    this.#taken.add(share)
    return () => void this.#taken.delete(share)
  }
}

/** An amount above the limit, as of a stack with more containers, is allowed alone. */
const isTooMuch = (taken: readonly Share[], more: number, max: number) =>
  taken.length > 0 && taken.reduce((sum, { amount }) => sum + amount, more) > max

const tooManyLogs = (whose: string, max: number) =>
  overloaded(
    `${whose} already reads many whole logs, and ${max} are the limit: wait until some have been read`,
  )

const alreadyApplies = (whose: string) =>
  leaseHeld(`${whose} already applies a file: try again when that has ended`)

const tooMuchInBackground = (whose: string, max: number) =>
  overloaded(
    `${whose} already has ${max} operations under way, which is the limit: wait until one has ended`,
  )

const tooMany = (open: number) =>
  overloaded(
    `your account has ${open} open requests, which is the limit: wait until some have ended`,
  )
