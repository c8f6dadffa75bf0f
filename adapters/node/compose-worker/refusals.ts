import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Failure, unprocessable } from '../../../functions/core/errors.ts'
import type { ComposerQuestion } from './messages.ts'

/** Milliseconds. */
const rememberedFor = 60_000
const rememberedMax = 100

interface Refusal {
  size: number
  message: string
}

/**
 * Questions that exceeded a limit, remembered for a minute so that a retry takes no worker time.
 */
export class Refusals {
  readonly #known: LRUCache<string, Refusal>

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    const times = { ttl: rememberedFor, ttlResolution: 0, perf: { now } }
    this.#known = new LRUCache({ max: rememberedMax, ...times })
  }

  /** Adds a question that was killed. `size` is its size in the queue. */
  add(question: ComposerQuestion, size: number, message: string): void {
    this.#known.set(digestOf(question), { size, message })
  }

  /** Returns the failure of a remembered question, or undefined. */
  find(question: ComposerQuestion, size: number): Failure | undefined {
    // Hashing takes time in proportion to the text, so it is done only if the sizes match.
    const alike = [...this.#known.values()].some((known) => known.size === size)
    const refusal = alike ? this.#known.get(digestOf(question)) : undefined
    return (
      refusal &&
      unprocessable(
        `${refusal.message} less than a minute ago; change the file, or wait a minute`,
        { reason: 'limit' },
      )
    )
  }
}

/** Identifies a plan by its project: the snapshot and the time differ each time. */
function digestOf(question: ComposerQuestion): string {
  const same =
    question.kind === 'plan' ? [question.question.kind, question.question.project] : question
  return createHash('sha256').update(JSON.stringify(same)).digest('base64')
}
