import { conflict } from '../errors.ts'

/** How long the record of a key is kept. Milliseconds. */
const day = 24 * 3_600_000

/** How many new keys an account may use within a day in each process. */
export const keysPerDay = 5000

interface Used {
  /** When the day of the account began, on the monotonic clock. */
  since: number
  count: number
}

/** Counts the new idempotency keys of each account, whose records fill the store for a day. */
export class DailyKeys {
  readonly #used = new Map<string, Used>()

  /** Counts a key until the returned function is called, or the day is over. */
  take(accountId: string, now: number): () => void {
    const used = this.#usedBy(accountId, now)
    if (used.count >= keysPerDay) throw tooManyKeys()
    used.count += 1
    return () => {
      used.count -= 1
    }
  }

  #usedBy(accountId: string, now: number): Used {
    const isOver = ({ since }: Used) => now - since >= day
    const known = this.#used.get(accountId)
    if (known && !isOver(known)) return known
    for (const [id, used] of this.#used) if (isOver(used)) this.#used.delete(id)
    const used = { since: now, count: 0 }
    this.#used.set(accountId, used)
    return used
  }
}

const tooManyKeys = () =>
  conflict(
    `Idempotency-Key: your account has used ${keysPerDay} new keys within a day, which is the limit. Nothing was done: send the request without a key, or on the next day`,
    { reason: 'limit' },
  )
