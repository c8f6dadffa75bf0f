import { broken, type Failure } from '../../functions/core/errors.ts'

const waitingMax = 200
const charactersMax = 32 * 1024 * 1024

/** A load that waits for its turn. */
export interface Waiting {
  /** Characters of its texts. */
  readonly size: number
  reject(failure: Failure): void
}

/**
 * Loads that wait, the smallest first: however many large files are sent, a small one waits for one of them. A load that
 * waits for longer than `waitMax` milliseconds, or finds too many before it, is rejected with a `Failure` 500.
 */
export class LoadQueue<Load extends Waiting> {
  readonly #waitMax: number
  readonly #waiting: { load: Load; late: NodeJS.Timeout }[] = []
  #characters = 0

  constructor(waitMax: number) {
    this.#waitMax = waitMax
  }

  add(load: Load): void {
    const full = this.#waiting.length >= waitingMax
    if (full || this.#characters + load.size > charactersMax) {
      load.reject(tooMany())
      return
    }
    const late = setTimeout(() => this.#giveUp(load), this.#waitMax)
    const larger = this.#waiting.findIndex((other) => other.load.size > load.size)
    this.#waiting.splice(larger < 0 ? this.#waiting.length : larger, 0, { load, late })
    this.#characters += load.size
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Takes out the next one, if there is one. */
  next(): Load | undefined {
    return this.#take(0)
  }

  /** Takes out and rejects every one. */
  rejectAll(failure: () => Failure): void {
    for (let load = this.next(); load; load = this.next()) load.reject(failure())
  }

  #giveUp(load: Load): void {
    this.#take(this.#waiting.findIndex((other) => other.load === load))
    load.reject(tooMany())
  }

  #take(index: number): Load | undefined {
    const [taken] = this.#waiting.splice(index, 1)
    if (!taken) return undefined
    clearTimeout(taken.late)
    this.#characters -= taken.load.size
    return taken.load
  }
}

const tooMany = () => broken('too many compose files are being read: try again in a moment')
