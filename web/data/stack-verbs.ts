import { api, unwrap } from './api.ts'
import { asProblem, combinedProblem, type Problem, RequestError } from './problem.ts'
import { deleteStack, restartStack, startDeploy, stopStack } from './stack-operations.ts'

/** What can be done to a whole stack, and to several at once. */
export type StackVerb = 'deploy' | 'restart' | 'stop' | 'down' | 'remove'

/** The permission that each needs. */
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
 * Does the same to several stacks. Deploys and downs are only started: their stacks show how they
 * go on.
 *
 * @throws RequestError that names each stack that refused, after all others are done
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
