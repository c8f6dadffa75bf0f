import type { Actor } from '../access/actor.ts'
import {
  type JudgePorts,
  judgeLaterWork,
  type Need,
  type Standing,
} from '../acts-as/judge-later-work.ts'
import { conflict } from '../errors.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'

const needs: readonly Need[] = [{ part: 'jobs', permission: 'containers:exec' }]

/**
 * Decides whether a job may run now, and with whose rights. What its service may access is checked
 * with these rights when its container is created. Nothing runs as the service.
 *
 * @throws what the store throws: it is unknown then whether a run may begin, so it must not
 */
export async function judgeJob(
  { actsAs }: Pick<StackJob, 'actsAs'>,
  { hostId }: Pick<StackRecord, 'hostId'>,
  ports: JudgePorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const standing = await judgeLaterWork({ actsAs, hostId, needs }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the job has no account: save what it does' }
}

/**
 * Returns the account of a job with the rights that it has now.
 *
 * @throws 409 if the job is blocked
 */
export async function requireJobAccount(
  job: StackJob,
  stack: Pick<StackRecord, 'hostId'>,
  ports: JudgePorts,
): Promise<Actor> {
  const standing = await judgeJob(job, stack, ports)
  if (standing.kind === 'account') return standing.actor
  throw conflict(
    `job ${job.id} is blocked: ${standing.reason}; to take it over, save what it does`,
    { reason: 'blocked' },
  )
}
