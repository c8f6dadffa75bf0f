import { broken } from '../errors.ts'
import { Turns } from '../turns.ts'

/** How many requests of one account a process carries out at a time. */
export const turnsOfOneCaller = 16
/** How many more of them may wait. */
const waitingMax = 200

interface Calls {
  turns: Turns
  /** Requests that wait or are being carried out. */
  open: number
}

/**
 * Carries out a few requests of each account at a time; further ones wait in the order in which
 * they came. So one account that sends hundreds of costly requests at once delays itself, not the
 * others.
 */
export class CallerTurns {
  readonly #callers = new Map<string, Calls>()

  /** @throws 500 if too many requests of the account wait already */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const calls = this.#callers.get(accountId) ?? { turns: new Turns(turnsOfOneCaller), open: 0 }
    if (calls.open >= turnsOfOneCaller + waitingMax) throw tooMany(calls.open)
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
  broken(`your account has ${open} requests under way: send the next when some are answered`)
