import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { asProblem, type Problem, resolvesItself } from './problem.ts'

/** Shows how actions ended, one line each. */
export interface Notifier {
  ended(line: string): void
  /** `retry` runs the action again. It is undefined if that would fail again. */
  failed(line: string, problem: Problem, retry?: () => void): void
}

let notifier: Notifier | undefined

/** Sets the notifier of all actions. */
export const setNotifier = (next: Notifier): void => {
  notifier = next
}

/** The texts that an action shows when it has ended. */
export interface ActTexts<T> {
  /** Returns the text for a success: "Deployed in 4.2 s". Without it no text is shown. */
  ended?: (result: T) => string | undefined
  /** The text for a failure: "shop could not be deployed". */
  failed: string
  /** False if the page shows the problem itself. */
  tellsProblem?: boolean
}

export interface Action<A extends readonly unknown[], T> {
  /** Starts the action. A call with the values of a running one returns that one's promise. */
  run(...given: A): Promise<T | undefined>
  pending: ReadonlySignal<boolean>
  problem: ReadonlySignal<Problem | undefined>
  /** The last result. */
  result: ReadonlySignal<T | undefined>
  /** Forgets the problem and the result. */
  reset(): void
}

/** Returns an action whose progress and result a page can show. It never throws. */
export function act<A extends readonly unknown[], T>(
  work: (...given: A) => Promise<T>,
  { ended, failed, tellsProblem = true }: ActTexts<T>,
): Action<A, T> {
  const pending = signal(false)
  const problem = signal<Problem | undefined>(undefined)
  const result = signal<T | undefined>(undefined)
  /** The running calls by their values. */
  const running = new Map<string, Promise<T | undefined>>()

  async function start(key: string, given: A): Promise<T | undefined> {
    batch(() => {
      pending.value = true
      problem.value = undefined
    })
    try {
      const value = await work(...given)
      result.value = value
      const line = ended?.(value)
      if (line !== undefined) notifier?.ended(line)
      return value
    } catch (error) {
      const why = asProblem(error)
      problem.value = why
      if (tellsProblem)
        notifier?.failed(failed, why, resolvesItself(why) ? () => void run(...given) : undefined)
      return undefined
    } finally {
      running.delete(key)
      pending.value = running.size > 0
    }
  }

  function run(...given: A): Promise<T | undefined> {
    const key = JSON.stringify(given)
    const same = running.get(key)
    if (same) return same
    const started = start(key, given)
    running.set(key, started)
    return started
  }

  return {
    run,
    pending,
    problem,
    result,
    reset() {
      batch(() => {
        problem.value = undefined
        result.value = undefined
      })
    },
  }
}
