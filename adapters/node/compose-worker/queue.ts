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
  reject(failure: Failure): void
}

/**
 * A queue of questions. Questions of callers that used little worker time recently are first, and
 * the smallest among those. So a caller with large or slow files delays a small file of another
 * caller by at most one question. A question that waits longer than `waitMax` milliseconds, or that
 * finds the queue full, is rejected with a 500.
 */
export class FairQueue<Question extends Waiting> {
  readonly debts = new CallerDebts()
  readonly #waitMax: number
  readonly #waiting: { question: Question; late: NodeJS.Timeout }[] = []
  #characters = 0

  constructor(waitMax: number) {
    this.#waitMax = waitMax
  }

  add(question: Question): void {
    if (!this.#makeRoomFor(question)) {
      question.reject(tooMany())
      return
    }
    const late = setTimeout(() => this.#giveUp(question), this.#waitMax)
    this.#waiting.push({ question, late })
    this.#characters += question.size
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Removes and returns the next question, if there is one. */
  next(): Question | undefined {
    const [first] = this.#waiting
    let [best, at] = [first?.question, 0]
    for (const [index, { question }] of this.#waiting.entries()) {
      if (best && this.#isBefore(question, best)) [best, at] = [question, index]
    }
    return this.#take(at)
  }

  /** Removes and rejects all questions. */
  rejectAll(failure: () => Failure): void {
    for (let one = this.next(); one; one = this.next()) one.reject(failure())
  }

  /** Returns whether one question goes before another. Equal questions stay in order of arrival. */
  #isBefore(one: Question, other: Question): boolean {
    const byDebt = this.debts.levelOf(one.caller) - this.debts.levelOf(other.caller)
    return byDebt < 0 || (byDebt === 0 && one.size < other.size)
  }

  /**
   * Makes room for a question by rejecting the newest ones of the caller with the most in the
   * queue, so that a caller that fills the queue only delays itself. Returns false if there is no
   * room. The service's own work is not rejected for others.
   */
  #makeRoomFor(question: Question): boolean {
    for (;;) {
      const isFull = this.#waiting.length >= waitingMax
      if (!isFull && this.#characters + question.size <= charactersMax) return true
      const worst = this.#worstCaller(question, isFull ? () => 1 : ({ size }) => size)
      if (worst === question.caller || worst === '') return false
      const newest = this.#waiting.findLast((one) => one.question.caller === worst)
      if (!newest) return false
      this.#giveUp(newest.question)
    }
  }

  /**
   * Returns the caller with the highest total of what `measure` returns, including the new
   * question.
   */
  #worstCaller(asking: Question, measure: (question: Question) => number): string {
    const totals = new Map([[asking.caller, measure(asking)]])
    for (const { question } of this.#waiting) {
      totals.set(question.caller, (totals.get(question.caller) ?? 0) + measure(question))
    }
    return [...totals].reduce((worst, one) => (one[1] > worst[1] ? one : worst))[0]
  }

  #giveUp(question: Question): void {
    this.#take(this.#waiting.findIndex((other) => other.question === question))
    question.reject(tooMany())
  }

  #take(index: number): Question | undefined {
    const [taken] = this.#waiting.splice(index, 1)
    if (!taken) return undefined
    clearTimeout(taken.late)
    this.#characters -= taken.question.size
    return taken.question
  }
}

const tooMany = () =>
  internalError('too many compose files are being read: try again in a moment', { reason: 'limit' })
