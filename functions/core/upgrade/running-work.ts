import type { Needs } from '../ports/ports.ts'

export const runningKinds = ['deployment', 'backup', 'restore'] as const

/** Work that an upgrade would interrupt. */
export interface RunningWork {
  kind: (typeof runningKinds)[number]
  id: string
  /** The name of the stack or the backup job. */
  name: string
  hostId: string
}

/**
 * Returns what runs in all processes, even if its process died: another one resumes it. Work that
 * begins at this moment may be missing.
 */
export async function runningWork({
  backupRuns,
  deployments,
}: Needs<'backupRuns' | 'deployments'>): Promise<RunningWork[]> {
  const [deploying, runs] = await Promise.all([
    deployments.listRunning(),
    backupRuns.listUnfinished(),
  ])
  return [
    ...deploying.map(({ id, stack, hostId }) => ({
      kind: 'deployment' as const,
      id,
      name: stack,
      hostId,
    })),
    ...runs.map(({ id, kind, jobName, hostId }) => ({ kind, id, name: jobName, hostId })),
  ]
}
