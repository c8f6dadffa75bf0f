import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'

/** Returns whether a job was made for this stack, not for an earlier one with its name. */
export const isJobOf = (
  { id, createdAt }: Pick<StackRecord, 'createdAt' | 'id'>,
  { stack, actsAs }: Pick<StackJob, 'actsAs' | 'stack'>,
): boolean => stack === id && actsAs.stacks[0]?.createdAt === createdAt

/**
 * Deletes the jobs of a stack that is about to be deleted. Call it under the lease of the stack,
 * before its record goes: until then no other stack can have its name.
 */
export async function removeJobsOf(
  stack: Pick<StackRecord, 'createdAt' | 'id'>,
  ports: Needs<'jobLogs' | 'stackJobs'>,
): Promise<void> {
  for (const job of await ports.stackJobs.list()) {
    if (!isJobOf(stack, job)) continue
    await removeLogs(job.runs, ports)
    await ports.stackJobs.remove(job.id)
  }
}

/** Deletes the logs of runs that are about to be forgotten. */
export async function removeLogs(
  runs: StackJob['runs'],
  { jobLogs }: Needs<'jobLogs'>,
): Promise<void> {
  for (const { id } of runs) await jobLogs.remove(id)
}
