import { type Failure, internalError } from '../../../functions/core/errors.ts'
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

/** A question in the queue. */
interface Entry<Question> {
  question: Question
  late: NodeJS.Timeout
  /** It has waited for longer than a caller may wait. */
  isOverdue: boolean
}

/**
 * A queue of questions. Questions of callers that used little worker time recently are first, and
 * the smallest among those. So a caller with large or slow files delays a small file of another
 * caller by at most one question.
 *
 * A caller's question that waits longer than `waitMax` milliseconds, or that finds the queue full,
 * is rejected with a 500. One of work in the background takes no place of a caller and waits for as
 * long as necessary. Once it has waited longer than `waitMax`, it takes every other turn, so that
 * many callers with small files cannot keep it waiting.
 */
export class FairQueue<Question extends Waiting> {
  readonly debts = new CallerDebts()
  readonly #waitMax: number
  readonly #waiting: Entry<Question>[] = []
  #characters = 0
  #wasOverdue = false
  #limitsWaits = false

  constructor(waitMax: number) {
    this.#waitMax = waitMax
  }

  add(question: Question): void {
    if (!question.isBackground) {
      if (!this.#makeRoomFor(question)) {
        question.reject(tooMany())
        return
      }
      this.#characters += question.size
    }
    this.#waiting.push({ question, late: this.#timerOf(question), isOverdue: false })
  }

  /** Limits the wait of work in the background too, from now on: the service begins to stop. */
  limitWaits(): void {
    this.#limitsWaits = true
    for (const entry of this.#waiting) {
      if (!entry.question.isBackground) continue
      clearTimeout(entry.late)
      entry.late = this.#timerOf(entry.question)
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
      this.#giveUp(newest)
    }
  }

  #ofCallers(): Question[] {
    return this.#waiting.flatMap(({ question }) => (question.isBackground ? [] : question))
  }

  #timerOf(question: Question): NodeJS.Timeout {
    const isLimited = !question.isBackground || this.#limitsWaits
    const end = () => (isLimited ? this.#giveUp(question) : this.#markOverdue(question))
    return setTimeout(end, this.#waitMax)
  }

  #markOverdue(question: Question): void {
    const entry = this.#waiting.find((other) => other.question === question)
    if (entry) entry.isOverdue = true
  }

  #giveUp(question: Question): void {
    this.#take(this.#waiting.findIndex((other) => other.question === question))
    question.reject(tooMany())
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

const tooMany = () =>
  internalError('too many compose files are being read: try again in a moment', { reason: 'limit' })
