const halfLife = 10_000
/** Callers that used less than this count as equal. Milliseconds. */
const levelSize = 500
const callersMax = 1000

/** How much worker time each caller used recently, with a half-life of ten seconds. */
export class CallerDebts {
  readonly #debts = new Map<string, { ms: number; at: number }>()

  /** Adds the time that a question of a caller took. Milliseconds. */
  add(caller: string, ms: number, now = performance.now()): void {
    const total = this.#now(caller, now) + ms
    this.#debts.delete(caller)
    this.#debts.set(caller, { ms: total, at: now })
    if (this.#debts.size > callersMax) this.#debts.delete(this.#debts.keys().next().value!)
  }

  /** Returns 0 for a caller that used little time, and one more for each half second. */
  levelOf(caller: string, now = performance.now()): number {
    return Math.floor(this.#now(caller, now) / levelSize)
  }

  #now(caller: string, now: number): number {
    const debt = this.#debts.get(caller)
    return debt ? debt.ms * 0.5 ** ((now - debt.at) / halfLife) : 0
  }
}
