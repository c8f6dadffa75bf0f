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

/**
 * Questions that exceeded a limit, remembered for a minute so that a retry takes no worker time.
 */
export class Refusals {
  readonly #known = new Map<string, Refusal>()

  /** Adds a question that was killed. `size` is its size in the queue. */
  add(question: ComposerQuestion, size: number, message: string, now = performance.now()): void {
    this.#known.set(digestOf(question), { size, message, until: now + rememberedFor })
    if (this.#known.size > rememberedMax) this.#known.delete(this.#known.keys().next().value!)
  }

  /** Returns the failure of a remembered question, or undefined. */
  find(question: ComposerQuestion, size: number, now = performance.now()): Failure | undefined {
    for (const [digest, { until }] of this.#known) if (until <= now) this.#known.delete(digest)
    // Hashing takes time in proportion to the text, so it is done only if the sizes match.
    const alike = [...this.#known.values()].some((known) => known.size === size)
    const refusal = alike ? this.#known.get(digestOf(question)) : undefined
    return (
      refusal &&
      unprocessable(`${refusal.message} less than a minute ago; change the file, or wait a minute`)
    )
  }
}

/** Identifies a plan by its project: the snapshot and the time differ each time. */
function digestOf(question: ComposerQuestion): string {
  const same =
    question.kind === 'plan' ? [question.question.kind, question.question.project] : question
  return createHash('sha256').update(JSON.stringify(same)).digest('base64')
}
