import type { BackupJobs } from '../ports/backup-jobs.ts'
import type { BackupRuns } from '../ports/backup-runs.ts'
import type { Hosts } from '../ports/hosts.ts'

/** The hosts in the caller's scope: `find` throws 403 for others, `list` leaves them out. */
type ScopedHosts = Pick<Hosts, 'find' | 'list'>

/**
 * Returns the jobs of the hosts in scope. A job of a deleted host is visible only without a scope.
 */
export function scopeBackupJobs(jobs: BackupJobs, hosts: ScopedHosts): BackupJobs {
  return {
    ...jobs,
    async find(id) {
      const job = await jobs.find(id)
      return job && (await hosts.find(job.hostId)) ? job : undefined
    },
    async list() {
      const visible = await idsOf(hosts)
      return (await jobs.list()).filter(({ hostId }) => visible.includes(hostId))
    },
  }
}

/** Returns the runs on the hosts in scope. */
export function scopeBackupRuns(runs: BackupRuns, hosts: ScopedHosts): BackupRuns {
  return {
    ...runs,
    async find(id) {
      const run = await runs.find(id)
      return run && (await hosts.find(run.hostId)) ? run : undefined
    },
    list: async (query) => runs.list({ ...query, hosts: await idsOf(hosts) }),
  }
}

const idsOf = async (hosts: ScopedHosts) => (await hosts.list()).map(({ id }) => id)
