import { Worker } from 'node:worker_threads'
import { internalError } from '../../functions/core/errors.ts'
import { callDeadline, storeDeadlines } from '../store/deadline.ts'
import {
  type Answer,
  buffersOf,
  type Call,
  type CallError,
  type Method,
  monotonicNow,
  type TableCalls,
  withOwnBytes,
} from './calls.ts'

/** SQLite's code for a full disk or quota. */
const diskFull = 13

/** Milliseconds. */
const firstAnswerMax = 10_000

export interface ThreadOptions {
  file: string
  /** Returns a message for callers if the disk of the store is full. */
  explain(isCertain: boolean): Promise<string | undefined>
}

/** Makes a call within the deadline of the store. */
export type Ask = <M extends Method>(
  table: Call['table'],
  method: M,
  ...args: Parameters<TableCalls[M]>
) => Promise<ReturnType<TableCalls[M]>>

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * The other end of the thread of a store. Calls of SQLite block their thread until they are on
 * disk, so they are not made in that of the service.
 */
export class StoreThread {
  readonly #options: ThreadOptions
  readonly #deadlines = storeDeadlines()
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #calls = 0

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** @throws 500 if the store refuses the call, does not respond, or its disk is full */
  readonly ask: Ask = async (table, method, ...args) => {
    const call = { table, method, args: withOwnBytes(args), until: monotonicNow() + callDeadline }
    try {
      return await this.#deadlines.within((signal) => this.#send(call, signal))
    } catch (error) {
      throw await this.#failure(error)
    }
  }

  /**
   * Opens the file. A thread that has just started may take longer than a deadline.
   *
   * @throws 500 if it cannot be opened
   */
  async open(): Promise<void> {
    const giveUpAt = performance.now() + firstAnswerMax
    for (;;) {
      try {
        return await this.ask('items', 'open')
      } catch (error) {
        if (!isTimeout(error) || performance.now() > giveUpAt) throw error
      }
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    if (!worker) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.ref()
    worker.postMessage('close')
    await ended
  }

  #send<M extends Method>(
    call: Omit<Call<M>, 'id'>,
    signal: AbortSignal,
  ): Promise<ReturnType<TableCalls[M]>> {
    const id = ++this.#calls
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        this.#waiting.delete(id)
        settled()
      }
      this.#waiting.set(id, {
        resolve: (value) => settle(() => resolve(value as ReturnType<TableCalls[M]>)),
        reject: (error) => settle(() => reject(error)),
      })
      signal.addEventListener('abort', () => settle(() => reject(signal.reason)), { once: true })
      this.#worker ??= this.#start()
      this.#worker.postMessage({ id, ...call }, buffersOf(call.args))
    })
  }

  #start(): Worker {
    const worker = new Worker(workerFile(), { workerData: { file: this.#options.file } })
    worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id)
      if ('error' in answer) waiting?.reject(answer.error)
      else waiting?.resolve(answer.value)
    })
    const end = (error: unknown) => {
      if (this.#worker === worker) this.#worker = undefined
      for (const waiting of this.#waiting.values()) waiting.reject(error)
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('the thread of the store ended')))
    // Each call has a deadline, which keeps the process alive for as long as needed.
    worker.unref()
    return worker
  }

  async #failure(error: unknown) {
    const { message, code } = error as CallError
    const cause = error instanceof Error ? error : new Error(`SQLite: ${message} (${code})`)
    const isRefusal = !(error instanceof Error) && code === undefined
    if (isRefusal) return internalError('The store refused the request', { cause })
    const full = await this.#options.explain(code === diskFull)
    if (full !== undefined) return internalError(full, { reason: 'disk-full', cause })
    return internalError('The store does not respond', { reason: 'store-unavailable', cause })
  }
}

const isTimeout = (error: unknown) =>
  ((error as Error).cause as Error | undefined)?.name === 'AbortError'

/** Returns the file of the thread: the bundle, or the source while this runs from source. */
function workerFile(): URL {
  const name = import.meta.url.endsWith('.ts') ? 'thread.ts' : 'sqlite-thread.js'
  return new URL(`./${name}`, import.meta.url)
}
