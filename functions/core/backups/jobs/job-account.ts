import { bindAccount } from '../../acts-as/bind-account.ts'
import { bindStacks } from '../../acts-as/bound-stacks.ts'
import { type JudgePorts, judgeLaterWork, type Standing } from '../../acts-as/judge-later-work.ts'
import { conflict } from '../../errors.ts'
import type { Needs } from '../../ports/ports.ts'
import type { Account } from '../../records/account.ts'
import type { ActsAs, BoundStack } from '../../records/acts-as.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { serviceNamed } from '../contents/containers-of-services.ts'
import { requireVolumes } from './approve-volumes.ts'
import { needsOf } from './check-job.ts'

export type JobAccountPorts = JudgePorts & Needs<'settings'>

/** Returns the record of a job that this account saves now. `job.volumes` must be decided. */
export const bindJob = (
  job: BackupJob,
  account: Account,
  ports: Needs<'clock' | 'stacks'>,
): Promise<ActsAs> => bindAccount(account, stacksOf(job), ports)

/** Returns the stacks that a job is about as they are now. */
export const bindJobStacks = (job: BackupJob, ports: Needs<'stacks'>): Promise<BoundStack[]> =>
  bindStacks(stacksOf(job), ports)

/** Returns the names of all stacks whose data or containers a job may use. */
function* stacksOf(job: BackupJob): Generator<string, void, void> {
  const { sources, volumes = [], hooks, stopServices } = job
  for (const source of sources) if (source.kind === 'stack') yield source.name
  for (const { owner } of volumes) if (owner !== null) yield owner
  const services = [hooks.before?.service, hooks.after?.service, stopServices].flat()
  for (const service of services) {
    const named = typeof service === 'string' ? serviceNamed(service, job) : undefined
    if (named) yield named.stack
  }
}

/** Decides whether a job may run now, and with whose rights. */
export const judgeJob = (job: BackupJob, ports: JobAccountPorts): Promise<Standing> =>
  judgeLaterWork(
    {
      actsAs: job.actsAs,
      hostId: job.hostId,
      needs: [{ part: 'backup jobs', permission: 'backups:manage' }, ...needsOf(job)],
      check: (actor, scoped: JobAccountPorts) =>
        requireVolumes(job.volumes, 'backup', actor, scoped),
    },
    ports,
  )

/**
 * Returns whose rights a job has now.
 *
 * @throws 409 if it is blocked
 */
export async function requireStanding(
  job: BackupJob,
  ports: JobAccountPorts,
): Promise<Exclude<Standing, { kind: 'blocked' }>> {
  const standing = await judgeJob(job, ports)
  if (standing.kind !== 'blocked') return standing
  throw conflict(
    `backup job ${job.name} is blocked: ${standing.reason}; to take it over, save what it does`,
    { reason: 'blocked' },
  )
}
