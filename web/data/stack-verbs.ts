import { api, unwrap } from './api.ts'
import { asProblem, combinedProblem, type Problem, RequestError } from './problem.ts'
import { deleteStack, restartStack, startDeploy, stopStack } from './stack-operations.ts'

/** An operation on a whole stack, or on several stacks at once. */
export type StackVerb = 'deploy' | 'restart' | 'stop' | 'down' | 'remove'

/** The permission that each verb needs. */
export const permissionOf: Readonly<Record<StackVerb, string>> = {
  deploy: 'stacks:deploy',
  restart: 'stacks:deploy',
  stop: 'stacks:deploy',
  down: 'stacks:delete',
  remove: 'stacks:delete',
}

const requests: Readonly<Record<StackVerb, (name: string) => Promise<unknown>>> = {
  deploy: (name) => startDeploy(name, {}),
  restart: restartStack,
  stop: stopStack,
  down: (name) =>
    unwrap(
      api.POST('/stacks/{name}/down', {
        params: { path: { name }, query: { wait: false } },
        body: {},
      }),
    ),
  remove: (name) => deleteStack(name, { volumes: false, force: false }),
}

/** Concurrent requests. The limit keeps a long list from overloading a host. */
const concurrentMax = 4

/**
 * Runs a verb on several stacks. Only starts deploys and downs; their stacks show the progress.
 *
 * @throws RequestError that names each stack whose request failed, after all others have ended
 */
export async function runForStacks(verb: StackVerb, names: readonly string[]): Promise<void> {
  const failed = await forEachConcurrently(names, requests[verb])
  const problem = combinedProblem(failed, names.length)
  if (problem) throw new RequestError(problem)
}

/** Calls `work` for each name, a few at a time. Returns the names that failed. */
export async function forEachConcurrently(
  names: readonly string[],
  work: (name: string) => Promise<unknown>,
): Promise<{ name: string; problem: Problem }[]> {
  const failed: { name: string; problem: Problem }[] = []
  const waiting = [...names]
  const take = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      try {
        await work(name)
      } catch (error) {
        failed.push({ name, problem: asProblem(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrentMax }, take))
  return failed
}
