import { Worker } from 'node:worker_threads'
import type { ComposeInput, LoadedProject } from '../../functions/core/compose/project.ts'
import { broken, Failure, unprocessable } from '../../functions/core/errors.ts'
import { ignoreResult } from '../../functions/core/promises.ts'
import type { Composer } from '../../functions/core/stacks/ports.ts'
import type { ServiceExpectation } from '../../functions/core/stacks/stack.ts'
import type { ComposerAnswer, ComposerQuestion } from './composer-messages.ts'
import { LoadQueue, type Waiting } from './composer-queue.ts'
import { holdYoungSpace } from './garbage.ts'

/** How long one load may take, its worker being ready. */
export const loadMillisecondsMax = 1500
const memoryMegabytesMax = 128
const youngMegabytesMax = 64
const waitMillisecondsMax = 10_000

/** Loads compose files in a thread of their own. `close` ends the thread; loads that wait then fail. */
export interface WorkerComposer extends Composer {
  close(): Promise<void>
  /** Starts the thread, which the first load would else wait for. */
  warm(): void
}

interface Load extends Waiting {
  question: ComposerQuestion
  resolve(answer: ComposerAnswer): void
}

/**
 * A composer with one warm worker. Loads wait for each other; one that takes longer than 1.5 s, or more memory than any
 * honest file needs, ends with its worker in a `Failure` 422, and the next finds a new worker. Time spent waiting or
 * starting a worker does not count there; a load that waits for longer than `waitMax` milliseconds fails with 500.
 */
export function workerComposer(waitMax: number = waitMillisecondsMax): WorkerComposer {
  return new ThreadComposer(waitMax)
}

class ThreadComposer implements WorkerComposer {
  readonly #waiting: LoadQueue<Load>
  #worker: Worker | undefined
  #ready = false
  #current: { load: Load; timer: NodeJS.Timeout } | undefined
  #failedStarts = 0
  #closed = false
  #letGrow = () => {}

  constructor(waitMax: number) {
    this.#waiting = new LoadQueue(waitMax)
  }

  async load(input: ComposeInput): Promise<LoadedProject> {
    const answer = await this.#ask({ kind: 'load', input })
    if (answer.kind !== 'loaded') throw broken('compose.yaml could not be read')
    return answer.loaded
  }

  async check(inputs: readonly ComposeInput[]): Promise<Record<string, ServiceExpectation>> {
    const answer = await this.#ask({ kind: 'check', inputs })
    if (answer.kind !== 'checked') throw broken('compose.yaml could not be read')
    return answer.services
  }

  #ask(question: ComposerQuestion): Promise<ComposerAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(broken('the service is shutting down'))
      this.#waiting.add({ question, size: sizeOf(question), resolve, reject })
      this.#next()
    })
  }

  warm(): void {
    if (!this.#worker && !this.#closed) this.#start()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#waiting.rejectAll(() => broken('the service is shutting down'))
    this.#settle((load) => load.reject(broken('the service is shutting down')))
    const worker = this.#worker
    this.#forget()
    await worker?.terminate()
  }

  /** Gives the next load to the worker, when both are there. */
  #next(): void {
    if (this.#current || this.#waiting.isEmpty || this.#closed) return
    const worker = this.#worker ?? this.#start()
    // A process waits for a load, and for no idle worker.
    worker.ref()
    if (!this.#ready) return
    const load = this.#waiting.next()!
    const timer = setTimeout(
      () => this.#stop('compose.yaml took too long to read'),
      loadMillisecondsMax,
    )
    this.#current = { load, timer }
    worker.postMessage(load.question)
  }

  #start(): Worker {
    // What starting makes is not what loads will make.
    this.#letGrow = holdYoungSpace()
    const worker = new Worker(workerFile(), {
      execArgv: [],
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMegabytesMax,
        // What a load makes lives as long as the load: room for it saves collecting it in vain.
        maxYoungGenerationSizeMb: youngMegabytesMax,
        stackSizeMb: 4,
      },
      name: 'composer',
    })
    this.#worker = worker
    worker.on('message', (answer: ComposerAnswer) => {
      if (this.#worker === worker) this.#hear(answer, worker)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#worker === worker) this.#lose(error)
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lose(new Error('the worker ended'))
    })
    worker.unref()
    return worker
  }

  #hear(answer: ComposerAnswer, worker: Worker): void {
    worker.unref()
    if (answer.kind === 'ready') {
      this.#ready = true
      this.#letGrow()
      this.#failedStarts = 0
    } else {
      this.#settle((load) => {
        if (answer.kind === 'failed') load.reject(new Failure(answer.status, answer.message))
        else if (answer.kind === 'broken')
          load.reject(broken('compose.yaml could not be read', { cause: answer.reason }))
        else load.resolve(answer)
      })
    }
    this.#next()
  }

  /** The worker broke: with a load when that was too much for it, without one when it cannot start. */
  #lose(cause: NodeJS.ErrnoException): void {
    const started = this.#ready
    this.#forget()
    if (!started) this.#failedStarts += 1
    const tooMuch = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.#settle((load) =>
      load.reject(
        tooMuch
          ? unprocessable('compose.yaml takes too much memory to read', { cause })
          : broken('compose.yaml could not be read', { cause }),
      ),
    )
    if (this.#failedStarts >= 3) {
      this.#failedStarts = 0
      this.#waiting.rejectAll(() => broken('the reader of compose files does not start', { cause }))
    }
    this.#next()
  }

  /** Ends the worker in the middle of a load and warms another. */
  #stop(message: string): void {
    const worker = this.#worker
    this.#forget()
    if (worker) ignoreResult(worker.terminate())
    this.#settle((load) => load.reject(unprocessable(message)))
    if (!this.#closed) this.#start()
  }

  #forget(): void {
    this.#worker = undefined
    this.#ready = false
    this.#letGrow()
  }

  #settle(end: (load: Load) => void): void {
    const current = this.#current
    if (!current) return
    clearTimeout(current.timer)
    this.#current = undefined
    end(current.load)
  }
}

/** The inputs of one question have the same files. */
function sizeOf(question: ComposerQuestion): number {
  const files = question.kind === 'load' ? question.input.files : question.inputs[0]?.files
  return Object.values(files ?? {}).reduce((sum, text) => sum + text.length, 0)
}

/** The worker beside this file: the bundle's, or the source while this is one. */
function workerFile(): URL {
  const name = import.meta.url.endsWith('.ts') ? 'composer-worker-source.mjs' : 'composer-worker.js'
  return new URL(`./${name}`, import.meta.url)
}
