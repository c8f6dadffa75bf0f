import { setTimeout as delay } from 'node:timers/promises'
import type { Json } from '../../../adapters/testing/json.ts'
import type { Chances } from './chances.ts'
import { type ApiRequest, send } from './dynamo-api.ts'
import { textOf, type Written } from './writes.ts'

/** Returns the name of the table that follows another one. */
export const lateTable = (table: string) => `${table}.late`

/** Where the copy is, and how far it may lag behind. */
export interface LateCopyOptions {
  /** Returns the endpoint of the store, which also has the copy. */
  behind(): string
  chances: Chances
  /** The longest lag, in milliseconds. */
  lagMax: number
}

/**
 * A copy of each table. Each write reaches it after a random time. Writes of one key arrive in
 * their order, so a read of the copy finds each item as it is or as it was.
 */
export class LateCopy {
  readonly #options: LateCopyOptions
  readonly #last = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  #failure: Error | undefined

  constructor(options: LateCopyOptions) {
    this.#options = options
  }

  /** Applies a write later, with the headers of the request that wrote. */
  follow(written: Written, headers: ApiRequest['headers']): void {
    const { chances, lagMax } = this.#options
    const id = textOf(written)
    const lag = Math.floor(chances.next() * (lagMax + 1))
    const due = delay(lag, undefined, { signal: this.#closing.signal })
    const applied = Promise.all([due, this.#last.get(id)])
      .then(() => this.#apply(written, headers))
      .catch((error) => {
        this.#failure ??= error
      })
      .finally(() => {
        if (this.#last.get(id) === applied) this.#last.delete(id)
      })
    this.#last.set(id, applied)
  }

  /** Throws the error of a write that could not be applied, if there was one. */
  check(): void {
    if (this.#failure) throw this.#failure
  }

  /** Drops the writes that did not reach the copy yet. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#last.values())
  }

  async #apply({ table, key, item }: Written, headers: ApiRequest['headers']): Promise<void> {
    const [operation, what]: [string, Json] = item
      ? ['PutItem', { Item: item }]
      : ['DeleteItem', { Key: key }]
    const input = { TableName: lateTable(table), ...what }
    const { status, body } = await send(this.#options.behind(), { headers, operation, input })
    if (status !== 200) throw new Error(`The late copy cannot follow: ${status} ${body}`)
  }
}
