import type { BackupRuns } from '../../functions/core/backups/ports.ts'
import { type BackupRun, isUnfinished } from '../../functions/core/backups/run.ts'

/** Returns backup runs in memory. */
export function memoryBackupRuns(): BackupRuns {
  const runs = new Map<string, BackupRun>()
  const newestFirst = () => [...runs.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
  const keep = (run: BackupRun) => void runs.set(run.id, structuredClone(run))
  return {
    find: async (id) => structuredClone(runs.get(id)),
    async list({ jobId, hosts, limit }) {
      const asked = newestFirst().filter(
        (run) =>
          (jobId === undefined || run.jobId === jobId) && (!hosts || hosts.includes(run.hostId)),
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
