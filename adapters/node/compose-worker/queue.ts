import { type Failure, overloaded } from '../../../functions/core/errors.ts'
import { CallerDebts } from './caller-debts.ts'

const waitingMax = 200
const charactersMax = 32 * 1024 * 1024

/** A queued question. */
export interface Waiting {
  /** Characters of its texts, or the estimated size of its plan. */
  readonly size: number
  /** The caller that it belongs to; empty for the service's own work. */
  readonly caller: string
  /** Whether work in the background asks, which has no caller to try again. */
  readonly isBackground: boolean
  reject(failure: Failure): void
}

/** The longest waits of a caller's question. Milliseconds. */
export interface QueueWaits {
  /** For its turn, while a worker is ready. */
  queued: number
  /** In all, also while the worker starts. */
  total: number
}

/** A question in the queue. */
interface Entry<Question> {
  question: Question
  /** When its wait ends at the latest, on the monotonic clock. */
  until: number
  late: NodeJS.Timeout | undefined
  /** It has waited for longer than a caller may wait. */
  isOverdue: boolean
}

/**
 * A queue of questions. Questions of callers that used little worker time recently are first, and
 * the smallest among those. So a caller with large or slow files delays a small file of another
 * caller by at most one question.
 *
 * A caller's question that waits too long, or that finds the queue full, is rejected with a 500.
 * One of work in the background takes no place of a caller and waits for as long as necessary. Once
 * it has waited for a turn as long as a caller may, it takes every other turn, so that many callers
 * with small files cannot keep it waiting.
 *
 * While no worker is ready, there are no turns: on a busy machine a worker may start for longer
 * than a caller waits for a turn. A new queue has no worker.
 */
export class FairQueue<Question extends Waiting> {
  readonly debts = new CallerDebts()
  readonly #waits: QueueWaits
  readonly #waiting: Entry<Question>[] = []
  #characters = 0
  #isReady = false
  #wasOverdue = false
  #limitsWaits = false

  constructor(waits: QueueWaits) {
    this.#waits = waits
  }

  /** Whether a worker is ready. */
  get isReady(): boolean {
    return this.#isReady
  }

  set isReady(isReady: boolean) {
    this.#isReady = isReady
    for (const entry of this.#waiting) this.#limit(entry)
  }

  add(question: Question): void {
    if (!question.isBackground) {
      if (!this.#makeRoomFor(question)) {
        question.reject(tooMany())
        return
      }
      this.#characters += question.size
    }
    const entry = { question, until: this.#untilOf(question), late: undefined, isOverdue: false }
    this.#limit(entry)
    this.#waiting.push(entry)
  }

  /** Limits the wait of work in the background too, from now on: the service begins to stop. */
  limitWaits(): void {
    this.#limitsWaits = true
    for (const entry of this.#waiting) {
      if (!entry.question.isBackground) continue
      entry.until = this.#untilOf(entry.question)
      this.#limit(entry)
    }
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Removes and returns the next question, if there is one. */
  next(): Question | undefined {
    const overdue = this.#wasOverdue ? -1 : this.#waiting.findIndex(({ isOverdue }) => isOverdue)
    this.#wasOverdue = overdue >= 0
    return this.#take(this.#wasOverdue ? overdue : this.#bestIndex())
  }

  /** Removes and rejects all questions. */
  rejectAll(failure: () => Failure): void {
    for (let one = this.next(); one; one = this.next()) one.reject(failure())
  }

  #bestIndex(): number {
    let [best, at] = [this.#waiting[0]?.question, 0]
    for (const [index, { question }] of this.#waiting.entries()) {
      if (best && this.#isBefore(question, best)) [best, at] = [question, index]
    }
    return at
  }

  /** Returns whether one question goes before another. Equal questions stay in order of arrival. */
  #isBefore(one: Question, other: Question): boolean {
    const byDebt = this.debts.levelOf(one.caller) - this.debts.levelOf(other.caller)
    return byDebt < 0 || (byDebt === 0 && one.size < other.size)
  }

  /**
   * Makes room for a caller's question by rejecting the newest ones of the caller with the most in
   * the queue, so that a caller that fills the queue only delays itself. Returns false if there is
   * no room.
   */
  #makeRoomFor(question: Question): boolean {
    for (;;) {
      const ofCallers = this.#ofCallers()
      const isFull = ofCallers.length >= waitingMax
      if (!isFull && this.#characters + question.size <= charactersMax) return true
      const measure = isFull ? () => 1 : ({ size }: Question) => size
      const worst = worstCaller([question, ...ofCallers], measure)
      if (worst === question.caller) return false
      const newest = ofCallers.findLast(({ caller }) => caller === worst)
      if (!newest) return false
      this.#giveUp(newest, tooMany())
    }
  }

  #ofCallers(): Question[] {
    return this.#waiting.flatMap(({ question }) => (question.isBackground ? [] : question))
  }

  #untilOf({ isBackground }: Question): number {
    const { queued, total } = this.#waits
    if (!isBackground) return performance.now() + total
    return this.#limitsWaits ? performance.now() + queued : Infinity
  }

  /** Limits the wait of a question from now on: that for a turn begins when a worker is ready. */
  #limit(entry: Entry<Question>): void {
    clearTimeout(entry.late)
    const left = entry.until - performance.now()
    const wait = this.#isReady ? Math.min(this.#waits.queued, left) : left
    if (wait < Infinity) entry.late = setTimeout(() => this.#endWait(entry), wait)
  }

  #endWait(entry: Entry<Question>): void {
    if (entry.until === Infinity) entry.isOverdue = true
    else this.#giveUp(entry.question, this.#isReady ? tooMany() : notStarted())
  }

  #giveUp(question: Question, failure: Failure): void {
    this.#take(this.#waiting.findIndex((other) => other.question === question))
    question.reject(failure)
  }

  #take(index: number): Question | undefined {
    const [taken] = this.#waiting.splice(index, 1)
    if (!taken) return undefined
    clearTimeout(taken.late)
    if (!taken.question.isBackground) this.#characters -= taken.question.size
    return taken.question
  }
}

/** Returns the caller with the highest total of what `measure` returns, of equal ones the first. */
function worstCaller<Question extends Waiting>(
  questions: readonly Question[],
  measure: (question: Question) => number,
): string {
  const totals = new Map<string, number>()
  for (const question of questions) {
    totals.set(question.caller, (totals.get(question.caller) ?? 0) + measure(question))
  }
  return [...totals].reduce((worst, one) => (one[1] > worst[1] ? one : worst))[0]
}

const tooMany = () => overloaded('too many compose files are being read: try again in a moment')

const notStarted = () =>
  overloaded('the worker for compose files has not started yet: try again in a moment')
