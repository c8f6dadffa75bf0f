import { reachOf } from '../access/reach.ts'
import { loadService } from '../one-offs/load-service.ts'
import { prepareOneOff } from '../one-offs/prepare.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'
import { deployedFiles } from '../stacks/deployed-files.ts'
import type { LoadPorts } from '../stacks/load-project.ts'
import { oneOffOfJob } from './one-off-of-job.ts'

export type CheckJobPorts = LoadPorts & Needs<'deployments'>

/**
 * Checks that a stack has a service, and that the caller may run commands in a container of it. The
 * stack need not be deployed yet: each run checks all that a one-off container needs.
 *
 * @throws 404 if there is no such service, 403 if the policy refuses it to the caller, 422 if the
 *   files of the stack do not load
 */
export async function checkJobService(
  stack: Stored<StackRecord>,
  service: string,
  caller: Pick<Caller, 'permissions'>,
  ports: CheckJobPorts,
): Promise<void> {
  const files = await deployedFiles(stack, ports, service)
  const from = { files, environment: stack.environment, reach: reachOf(caller) }
  await loadService(stack, service, from, ports)
}

/**
 * Checks that the caller may run a job by hand: pressing a button lends no rights, so the caller
 * needs those to a one-off container of the service. Pulls its image if it is missing.
 *
 * @throws what `prepareOneOff` throws
 */
export async function requireRunnable(
  job: StackJob,
  stack: Stored<StackRecord>,
  caller: Caller,
  signal: AbortSignal,
  ports: Parameters<typeof prepareOneOff>[2],
): Promise<void> {
  await prepareOneOff(oneOffOfJob(job, stack, caller, undefined, ports), signal, ports)
}
