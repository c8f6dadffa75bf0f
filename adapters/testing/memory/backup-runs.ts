import type { BackupRuns } from '../../../functions/core/ports/backup-runs.ts'
import { type BackupRun, isUnfinished } from '../../../functions/core/records/backup-run.ts'
import { isMadeIn } from '../../../functions/core/records/time-range.ts'

/** Returns an in-memory store of backup runs. */
export function memoryBackupRuns(): BackupRuns {
  const runs = new Map<string, BackupRun>()
  const newestFirst = () => [...runs.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
  const keep = (run: BackupRun) => void runs.set(run.id, structuredClone(run))
  return {
    find: async (id) => structuredClone(runs.get(id)),
    async list({ jobId, hosts, where = () => true, limit, ...range }) {
      const asked = newestFirst().filter(
        (run) =>
          (jobId === undefined || run.jobId === jobId) &&
          (!hosts || hosts.includes(run.hostId)) &&
          isMadeIn(run.id, range) &&
          where(run),
      )
      return structuredClone(asked.slice(0, limit))
    },
    create: async (run) => keep(run),
    async save(run) {
      const found = runs.get(run.id)
      if (!found || found.fence > run.fence) return false
      keep(run)
      return true
    },
    async listUnfinished() {
      return structuredClone([...runs.values()].filter(isUnfinished))
    },
    async remove(id) {
      runs.delete(id)
    },
  }
}
