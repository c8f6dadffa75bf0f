import type { Diagnosis } from '../../../functions/compose/diagnose/diagnosis.ts'
import type { LoadedProject } from '../../../functions/compose/load/loaded-project.ts'
import { UnreadFiles } from '../../../functions/compose/load/unread-files.ts'
import type {
  ChangedFields,
  ChangeQuestion,
} from '../../../functions/compose/plan/compare/explain-changes.ts'
import type { PlanRequest, PlanResult } from '../../../functions/compose/plan/plan-request.ts'
import type { ComposeInput } from '../../../functions/compose/project.ts'
import type { Publication } from '../../../functions/compose/publish/publication.ts'
import type { SecretUse } from '../../../functions/compose/show/secret-uses.ts'
import type { TreeMap } from '../../../functions/compose/yaml/tree.ts'
import {
  Failure,
  internalError,
  overloaded,
  shuttingDown,
  unprocessable,
} from '../../../functions/core/errors.ts'
import type { CheckedProject, Composer } from '../../../functions/core/ports/composer.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import type { TextPair } from '../../../functions/core/records/text-pair.ts'
import type { ComposerAnswer, ComposerQuestion } from './messages.ts'
import { FairQueue, type QueueWaits, type Waiting } from './queue.ts'
import { Refusals } from './refusals.ts'
import { sizeOf } from './size.ts'
import { type WorkerEnd, WorkerProcess } from './worker-process.ts'

/** Milliseconds. The CPU time that a question may use. */
export const questionMillisecondsMax = 1500

/** The longest waits for a worker. Milliseconds. */
export interface ComposerWaits extends QueueWaits {
  /** The wall-clock time that a question may take on a busy machine. */
  busy: number
}

/** Options of a composer. */
export interface ComposerOptions extends ComposerWaits {
  /** Aborted when the service begins to stop: work in the background then waits no longer. */
  stopping: AbortSignal
}

/** The total is less than the 30 s that a handler has, so that callers get the reason. */
const usualWaits: ComposerWaits = { queued: 10_000, total: 25_000, busy: 6000 }
/** The file may not be the cause, so this question is not remembered as refused. */
const killed = 'its process was killed, by a person or because the machine ran out of memory'

/**
 * A composer that works in another process. `close` ends that process; queued questions then fail.
 */
export interface WorkerComposer extends Composer {
  close(): Promise<void>
  /** Starts the worker before the first question. */
  warm(): void
}

interface Asked extends Waiting {
  question: ComposerQuestion
  resolve(answer: ComposerAnswer): void
}

/**
 * Returns a composer with one warm worker that answers one question at a time. A question that uses
 * more than 1.5 s of CPU time or too much memory is killed with its worker and fails with 422; the
 * next question gets a new worker. Time spent in the queue or starting a worker does not count. A
 * caller's question that is queued for too long fails with 500; one of work in the background waits
 * until the service stops.
 */
export function workerComposer({
  stopping,
  ...waits
}: Partial<ComposerOptions> = {}): WorkerComposer {
  return new ProcessComposer({ ...usualWaits, ...waits }, stopping)
}

/** The origin of a question: a caller, or work in the background on behalf of one. */
type Asking = Pick<Waiting, 'caller' | 'isBackground'>

/** Work of the service itself, such as a schedule. */
const service: Asking = { caller: '', isBackground: true }

class ProcessComposer implements WorkerComposer {
  readonly #waiting: FairQueue<Asked>
  readonly #refusals = new Refusals()
  readonly #busyMax: number
  #worker: WorkerProcess | undefined
  #current: { asked: Asked; timer: NodeJS.Timeout; begun: number; used: number } | undefined
  #failedStarts = 0
  #closed = false

  constructor({ busy, ...waits }: ComposerWaits, stopping?: AbortSignal) {
    this.#waiting = new FairQueue(waits)
    this.#busyMax = busy
    stopping?.addEventListener('abort', () => this.#waiting.limitWaits())
  }

  load(input: ComposeInput): Promise<LoadedProject> {
    return this.#for(service).load(input)
  }

  check(inputs: readonly ComposeInput[]): Promise<CheckedProject> {
    return this.#for(service).check(inputs)
  }

  diagnose(...given: Parameters<Composer['diagnose']>): Promise<Diagnosis> {
    return this.#for(service).diagnose(...given)
  }

  resolve(...given: Parameters<Composer['resolve']>): Promise<TreeMap> {
    return this.#for(service).resolve(...given)
  }

  publication(...given: Parameters<Composer['publication']>): Promise<Publication> {
    return this.#for(service).publication(...given)
  }

  secretUses(inputs: readonly ComposeInput[]): Promise<SecretUse[]> {
    return this.#for(service).secretUses(inputs)
  }

  plan(question: PlanRequest): Promise<PlanResult> {
    return this.#for(service).plan(question)
  }

  explain(question: ChangeQuestion): Promise<ChangedFields> {
    return this.#for(service).explain(question)
  }

  diff(pairs: readonly TextPair[]): Promise<(string | null)[]> {
    return this.#for(service).diff(pairs)
  }

  onBehalfOf(caller: string): Composer {
    return this.#for({ caller, isBackground: false })
  }

  inBackground(): Composer {
    return this.#for(service)
  }

  #for(asking: Asking): Composer {
    return {
      load: async (input) => {
        const answer = await this.#ask({ kind: 'load', input }, asking)
        if (answer.kind === 'unread') throw new UnreadFiles(answer.paths)
        if (answer.kind !== 'loaded') throw internalError('compose.yaml could not be read')
        return answer.loaded
      },
      check: async (inputs) => {
        const answer = await this.#ask({ kind: 'check', inputs }, asking)
        if (answer.kind === 'unread') throw new UnreadFiles(answer.paths)
        if (answer.kind !== 'checked') throw internalError('compose.yaml could not be read')
        return answer.checked
      },
      diagnose: async (inputs, options) => {
        const answer = await this.#ask({ kind: 'diagnose', inputs, options }, asking)
        if (answer.kind === 'unread') throw new UnreadFiles(answer.paths)
        if (answer.kind !== 'diagnosed') throw internalError('compose.yaml could not be read')
        return answer.diagnosis
      },
      resolve: async (input, options) => {
        const answer = await this.#ask({ kind: 'resolve', input, options }, asking)
        if (answer.kind === 'unread') throw new UnreadFiles(answer.paths)
        if (answer.kind !== 'resolved') throw internalError('compose.yaml could not be read')
        return answer.model
      },
      publication: async (input, options) => {
        const answer = await this.#ask({ kind: 'publication', input, options }, asking)
        if (answer.kind === 'unread') throw new UnreadFiles(answer.paths)
        if (answer.kind !== 'publishable') throw internalError('compose.yaml could not be read')
        return answer.publication
      },
      secretUses: async (inputs) => {
        const answer = await this.#ask({ kind: 'secret-uses', inputs }, asking)
        if (answer.kind === 'unread') throw new UnreadFiles(answer.paths)
        if (answer.kind !== 'uses-found') throw internalError('compose.yaml could not be read')
        return answer.uses
      },
      plan: async (question) => {
        const answer = await this.#ask({ kind: 'plan', question }, asking)
        if (answer.kind !== 'planned') throw internalError('the project could not be planned')
        return answer.answer
      },
      explain: async (question) => {
        const answer = await this.#ask({ kind: 'explain', question }, asking)
        if (answer.kind === 'unread') throw new UnreadFiles(answer.paths)
        if (answer.kind !== 'explained') throw internalError('the changes could not be explained')
        return answer.fields
      },
      diff: async (pairs) => {
        const answer = await this.#ask({ kind: 'diff', pairs }, asking)
        if (answer.kind !== 'diffed') throw internalError('the files could not be compared')
        return answer.diffs
      },
      onBehalfOf: (caller) => this.onBehalfOf(caller),
      inBackground: () => this.#for({ ...asking, isBackground: true }),
    }
  }

  #ask(question: ComposerQuestion, asking: Asking): Promise<ComposerAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(shuttingDown())
      this.#waiting.add({ question, ...asking, size: sizeOf(question), resolve, reject })
      this.#next()
    })
  }

  warm(): void {
    if (!this.#worker && !this.#closed) this.#start()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#waiting.rejectAll(shuttingDown)
    this.#settle(({ reject }) => reject(shuttingDown()))
    const worker = this.#worker
    this.#forget()
    await worker?.kill()
  }

  /** Sends the next question to an idle worker. */
  #next(): void {
    if (this.#current || this.#waiting.isEmpty || this.#closed) return
    const worker = this.#worker ?? this.#start()
    // The process stays alive for an answer, but not for an idle worker.
    worker.ref()
    if (!this.#waiting.isReady) return
    for (let asked = this.#waiting.next(); asked; asked = this.#waiting.next()) {
      const refusal = this.#refusals.find(asked.question, asked.size)
      if (!refusal) {
        this.#give(asked, worker)
        return
      }
      asked.reject(refusal)
    }
    worker.unref()
  }

  #give(asked: Asked, worker: WorkerProcess): void {
    const timer = setTimeout(() => this.#checkTime(worker), questionMillisecondsMax)
    this.#current = { asked, timer, begun: performance.now(), used: worker.processorTime() }
    worker.ask(asked.question)
  }

  /**
   * Kills a question that used up its CPU time, and extends the timer if other work on the machine
   * delayed it.
   */
  #checkTime(worker: WorkerProcess): void {
    const current = this.#current
    if (!current) return
    const left = questionMillisecondsMax - (worker.processorTime() - current.used)
    const isLate = performance.now() - current.begun >= this.#busyMax
    if (left <= 0) {
      this.#stop((asked) => this.#refuse(asked, `took too long to ${verbOf(asked.question)}`))
    } else if (isLate) {
      this.#stop((asked) => asked.reject(tooBusy(asked.question, this.#busyMax)))
    } else current.timer = setTimeout(() => this.#checkTime(worker), Math.max(left, 100))
  }

  #start(): WorkerProcess {
    const worker: WorkerProcess = new WorkerProcess({
      said: (answer) => this.#hear(answer, worker),
      ended: (end) => this.#lose(end),
    })
    this.#worker = worker
    return worker
  }

  #hear(answer: ComposerAnswer, worker: WorkerProcess): void {
    worker.unref()
    if (answer.kind === 'ready') {
      this.#waiting.isReady = true
      this.#failedStarts = 0
    } else {
      this.#settle((asked) => {
        if (answer.kind === 'failed') {
          const { status, message, reason } = answer
          asked.reject(new Failure(status, message, reason && { reason }))
        } else if (answer.kind === 'broken')
          asked.reject(internalError('compose.yaml could not be read', { cause: answer.reason }))
        else asked.resolve(answer)
      })
    }
    this.#next()
  }

  /**
   * Handles the end of the worker: a question exceeded its memory, it was killed, or it could not
   * start.
   */
  #lose({ cause, error }: WorkerEnd): void {
    const started = this.#waiting.isReady
    this.#forget()
    if (!started) this.#failedStarts += 1
    this.#settle((asked) => {
      if (cause === 'memory') {
        return this.#refuse(asked, `takes too much memory to ${verbOf(asked.question)}`)
      }
      const what = couldNotBe(asked.question)
      if (cause !== 'killed') return asked.reject(internalError(what, { cause: error }))
      asked.reject(overloaded(`${what}: ${killed}`, error))
    })
    if (this.#failedStarts >= 3) {
      this.#failedStarts = 0
      const failure = 'the worker for compose files does not start'
      // It is killed at its start when the machine is out of memory, which passes.
      this.#waiting.rejectAll(() =>
        cause === 'killed' ? overloaded(failure, error) : internalError(failure, { cause: error }),
      )
    }
    this.#next()
  }

  /** Kills the worker with its question, ends the question and starts another worker. */
  #stop(end: (asked: Asked) => void): void {
    const worker = this.#worker
    this.#forget()
    if (worker) ignoreResult(worker.kill())
    this.#settle(end)
    if (this.#closed) return
    this.#start()
    this.#next()
  }

  #refuse(asked: Asked, why: string): void {
    const message = `compose.yaml ${why}`
    this.#refusals.add(asked.question, asked.size, message)
    asked.reject(unprocessable(message, { reason: 'limit' }))
  }

  #forget(): void {
    this.#worker = undefined
    this.#waiting.isReady = false
  }

  #settle(end: (asked: Asked) => void): void {
    const current = this.#current
    if (!current) return
    clearTimeout(current.timer)
    this.#current = undefined
    this.#waiting.debts.add(current.asked.caller, performance.now() - current.begun)
    end(current.asked)
  }
}

const verbOf = ({ kind }: ComposerQuestion) => (kind === 'plan' ? 'plan' : 'read')

const couldNotBe = ({ kind }: ComposerQuestion) =>
  `compose.yaml could not be ${kind === 'plan' ? 'planned' : 'read'}`

/** The file is not the cause, so its question is not remembered as refused. */
const tooBusy = (question: ComposerQuestion, milliseconds: number) =>
  overloaded(
    `${couldNotBe(question)} within ${milliseconds / 1000} s, because the machine is busy: try again in a moment`,
  )
