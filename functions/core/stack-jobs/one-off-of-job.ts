import type { Actor } from '../access/actor.ts'
import { deploysStacks, reachOf } from '../access/reach.ts'
import type { OneOffRequest } from '../one-offs/request.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'

/**
 * Returns the request for the container of a run: as `POST /stacks/{name}/services/{service}/run`
 * by this account would create it.
 *
 * @param jobRun the id of the run; undefined to only check whether the account may run the job
 * @param ports limited to the scope of the account
 */
export const oneOffOfJob = (
  { service, command }: Pick<StackJob, 'command' | 'service'>,
  stack: Stored<StackRecord>,
  account: Pick<Actor, 'account' | 'permissions'>,
  jobRun: string | undefined,
  ports: Needs<'stacks'>,
): OneOffRequest => ({
  stack,
  service,
  accountId: account.account.id,
  command: command ?? undefined,
  publish: [],
  servicePorts: false,
  tty: false,
  keep: false,
  dependencies: true,
  jobRun,
  reach: reachOf(account),
  mayDeploy: deploysStacks(account, ports),
})
