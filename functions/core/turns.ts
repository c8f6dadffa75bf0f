/** Lets so many in at a time; the others wait in the order in which they came. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Does work when its turn has come. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.take()
    try {
      return await work()
    } finally {
      done()
    }
  }

  /** Resolves with what ends the turn; calling it again does nothing. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let over = false
    return () => {
      if (over) return
      over = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
