import { Semaphore } from '../../functions/core/semaphore.ts'

/** Lets a few fetches run at a time, and one for each host name. */
export class FetchSlots {
  readonly #all: Semaphore
  readonly #hosts = new Map<string, { semaphore: Semaphore; users: number }>()

  constructor(count: number) {
    this.#all = new Semaphore(count)
  }

  /** Runs `work` as soon as its host and a slot are free. */
  async run<T>(host: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#hosts.get(host) ?? { semaphore: new Semaphore(1), users: 0 }
    this.#hosts.set(host, entry)
    entry.users += 1
    try {
      return await entry.semaphore.run(() => this.#all.run(work))
    } finally {
      entry.users -= 1
      if (entry.users === 0) this.#hosts.delete(host)
    }
  }
}
