import { createHash } from 'node:crypto'
import { type Failure, unprocessable } from '../../functions/core/errors.ts'
import type { ComposerQuestion } from './composer-messages.ts'

const rememberedFor = 60_000
const rememberedMax = 100

interface Refusal {
  size: number
  message: string
  until: number
}

/** Questions that took too much, for a minute: asking the same again must not take the worker's time again. */
export class Refusals {
  readonly #known = new Map<string, Refusal>()

  /** Remembers a question that was stopped. `size` is its size in the queue. */
  add(question: ComposerQuestion, size: number, message: string, now = performance.now()): void {
    this.#known.set(digestOf(question), { size, message, until: now + rememberedFor })
    if (this.#known.size > rememberedMax) this.#known.delete(this.#known.keys().next().value!)
  }

  /** Returns why a question is refused; undefined for one that may be asked. */
  find(question: ComposerQuestion, size: number, now = performance.now()): Failure | undefined {
    for (const [digest, { until }] of this.#known) if (until <= now) this.#known.delete(digest)
    // A digest takes as long as its text is: it is made only where the sizes agree.
    const alike = [...this.#known.values()].some((known) => known.size === size)
    const refusal = alike ? this.#known.get(digestOf(question)) : undefined
    return refusal && unprocessable(`${refusal.message}, a moment ago: change it, or wait a minute`)
  }
}

/** A plan is known by its project: what is on the host and the time differ with each question. */
function digestOf(question: ComposerQuestion): string {
  const same =
    question.kind === 'plan' ? [question.question.kind, question.question.project] : question
  return createHash('sha256').update(JSON.stringify(same)).digest('base64')
}
