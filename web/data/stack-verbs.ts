import { api, unwrap } from './api.ts'
import { forEachConcurrently } from './concurrently.ts'
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

/**
 * Runs a verb on several stacks. Only starts deploys and downs; their stacks show the progress.
 *
 * @throws RequestError that names each stack whose request failed, after all others have ended
 */
export const runForStacks = (verb: StackVerb, names: readonly string[]): Promise<void> =>
  forEachConcurrently(names, (name) => name, requests[verb])
