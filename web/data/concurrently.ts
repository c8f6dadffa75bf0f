import { asProblem, combinedProblem, type Problem, RequestError } from './problem.ts'

/** Concurrent requests. The limit keeps a long list from overloading a host. */
const concurrentMax = 4

/**
 * Calls `work` for each thing, a few at a time.
 *
 * @throws RequestError that names each thing that failed with the reason, after all others have
 *   ended
 */
export async function forEachConcurrently<T>(
  things: readonly T[],
  nameOf: (thing: T) => string,
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  const failed: { name: string; problem: Problem }[] = []
  const waiting = [...things]
  const take = async () => {
    for (let thing = waiting.shift(); thing !== undefined; thing = waiting.shift()) {
      try {
        await work(thing)
      } catch (error) {
        failed.push({ name: nameOf(thing), problem: asProblem(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrentMax }, take))
  const problem = combinedProblem(failed, things.length)
  if (problem) throw new RequestError(problem)
}
