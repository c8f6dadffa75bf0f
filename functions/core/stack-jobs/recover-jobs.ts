import { Failure } from '../errors.ts'
import { ignoreError } from '../ignore-error.ts'
import { recoveryHolderOf } from '../leases/acquire-with-retry.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import { logFailure } from '../log-failure.ts'
import { removeOneOff } from '../one-offs/remove.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'
import type { JobRun, StackJob } from '../records/stack-job.ts'
import { unfinishedRun } from './decide-job.ts'
import { endRun, jobLease } from './job-record.ts'
import { reportEnd } from './report-job.ts'

export type RecoverPorts = Needs<
  | ('audit' | 'background' | 'clock' | 'engines' | 'leases' | 'log')
  | ('oneOffs' | 'random' | 'reminders' | 'stackJobs' | 'stacks')
>

/**
 * Ends the runs whose process died, by their expired lease, as `interrupted`, and removes their
 * containers. The sweep of one-off containers removes those of hosts that are away. What fails is
 * logged, and the next call tries it again.
 */
export async function recoverJobs(jobs: readonly StackJob[], ports: RecoverPorts): Promise<void> {
  const recoverOrLog = (job: StackJob) =>
    recoverJob(job, ports).catch((error) => {
      if (!ports.reminders.isDue(`recover job ${job.id}`)) return
      logFailure(ports.log, 'a job could not be recovered yet', { job: job.id, error })
    })
  await Promise.all(jobs.map(recoverOrLog))
}

async function recoverJob(job: StackJob, ports: RecoverPorts): Promise<void> {
  const run = unfinishedRun(job)
  const name = jobLease(job)
  if (!run || (await ports.leases.peek(name)).held) return
  const holder = recoveryHolderOf(ports.background.processId, run.id)
  const lease = await ports.leases.acquire(name, holder, leaseTime)
  if (!lease) return
  await withLeaseRenewal(lease, new AbortController().signal, ports, async () => {
    await removeContainers(run, ports)
    const error = 'the service ended while this was running'
    const ended: JobRun = { ...run, status: 'interrupted', finishedAt: ports.clock.now(), error }
    if (!(await endRun(job, ended, ports))) return
    ports.log.warn('a job was interrupted: its process ended', { job: job.id, run: run.id })
    await reportEnd(job, ended, await ports.stacks.find(job.stack), ports)
  })
}

/** Returns whether a run has not ended, or its container is not removed yet. */
export async function isUnfinished(
  last: JobRun | undefined,
  ports: Needs<'oneOffs'>,
): Promise<boolean> {
  if (!last) return false
  return last.status === 'running' || (await containersOfRun(last, ports)).length > 0
}

/** Returns the containers of a run that are not removed yet. */
async function containersOfRun(
  { id }: Pick<JobRun, 'id'>,
  { oneOffs }: Needs<'oneOffs'>,
): Promise<OneOff[]> {
  return (await oneOffs.list()).filter(({ jobRun }) => jobRun === id)
}

async function removeContainers(run: JobRun, ports: RecoverPorts): Promise<void> {
  for (const oneOff of await containersOfRun(run, ports)) {
    const remove = async () => removeOneOff(oneOff, await ports.engines.on(oneOff.hostId), ports)
    await remove().catch((error) => {
      // The host is away, or was removed from the service: the sweep goes on.
      if (!(error instanceof Failure)) throw error
      ignoreError('remove the container of a job')(error)
    })
  }
}
