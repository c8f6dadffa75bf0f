import type { BackupJobs, BackupRuns } from '../backups/ports.ts'
import type { Hosts } from '../hosts/ports.ts'

/** `hosts` finds those in the caller's scope and throws a `Failure` 403 for others. */
type ScopedHosts = Pick<Hosts, 'find' | 'list'>

/** Jobs of the hosts in scope. One of a host that is gone is nobody's but who reaches every host. */
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

/** Runs on the hosts in scope. */
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
