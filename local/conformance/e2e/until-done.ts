import { setTimeout as pause } from 'node:timers/promises'

/**
 * Calls `ask` until `isDone` holds for its answer, and returns that answer. Returns undefined if it
 * does not hold in time.
 */
export async function untilDone<T>(
  ask: () => Promise<T>,
  isDone: (answer: T) => boolean,
  seconds: number,
): Promise<T | undefined> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (isDone(answer)) return answer
    if (Date.now() > end) return undefined
    await pause(200)
  }
}
