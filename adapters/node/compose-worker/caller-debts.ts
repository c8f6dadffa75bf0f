import { LRUCache } from 'lru-cache'

const halfLife = 10_000
/** Milliseconds. Callers below this count as equal. */
const levelSize = 500
const callersMax = 1000

/** The worker time that each caller used recently, with a half-life of ten seconds. */
export class CallerDebts {
  readonly #debts = new LRUCache<string, { ms: number; at: number }>({ max: callersMax })

  /** Adds the milliseconds that a caller's question took. */
  add(caller: string, ms: number, now = performance.now()): void {
    const total = this.#now(caller, now) + ms
    this.#debts.set(caller, { ms: total, at: now })
  }

  /** Returns the number of whole half seconds that a caller used recently. */
  levelOf(caller: string, now = performance.now()): number {
    return Math.floor(this.#now(caller, now) / levelSize)
  }

  #now(caller: string, now: number): number {
    const debt = this.#debts.get(caller)
    return debt ? debt.ms * 0.5 ** ((now - debt.at) / halfLife) : 0
  }
}
