import { maySeeRun } from '../backups/jobs/run-rights.ts'
import type { Needs } from '../ports/ports.ts'
import type { PastEvents, ServiceEvent } from '../ports/service-events.ts'
import type { BackupRun } from '../records/backup-run.ts'

/** Runs read per poll. */
const runsPerPoll = 5
/** Runs whose status is remembered. */
const knownMax = 1000

/**
 * Returns a watch that finds the backups and restores that begin and end in all processes, by their
 * records.
 */
export function backupWatch({ backupRuns, clock }: Needs<'backupRuns' | 'clock'>) {
  const known = new Map<string, BackupRun['status']>()
  const startedAt = clock.now()

  const newEvents = (run: BackupRun): ServiceEvent[] => {
    const before = known.get(run.id)
    known.set(run.id, run.status)
    if (known.size > knownMax) known.delete(known.keys().next().value ?? '')
    if (!before && run.startedAt < startedAt && run.status !== 'running') return []
    const isOver = run.status !== 'running' && before !== run.status
    const isNew = !before && run.startedAt >= startedAt
    return [...(isNew ? [startEvent(run)] : []), ...(isOver ? [endEvent(run)] : [])]
  }
  return {
    async poll(): Promise<ServiceEvent[]> {
      const runs = await backupRuns.list({ limit: runsPerPoll })
      const seen = new Set(runs.map(({ id }) => id))
      const running = [...known].filter(([id, status]) => status === 'running' && !seen.has(id))
      for (const [id] of running) {
        const run = await backupRuns.find(id)
        if (run) runs.push(run)
        else known.delete(id)
      }
      return runs.sort((a, b) => (a.id < b.id ? -1 : 1)).flatMap(newEvents)
    },
  }
}

/** Runs whose past events are read. */
const pastRunsMax = 100

/** Returns the events of the latest 100 runs since an instant (ms since the epoch). */
export async function backupsSince(
  since: number,
  { backupRuns }: Needs<'backupRuns'>,
): Promise<PastEvents> {
  const runs = await backupRuns.list({ limit: pastRunsMax })
  const events = runs.flatMap((run) => [
    startEvent(run),
    ...(run.status === 'running' ? [] : [endEvent(run)]),
  ])
  const oldest = runs.length < pastRunsMax ? undefined : runs.at(-1)
  return {
    events: events.filter(({ time }) => Date.parse(time) >= since),
    completeFrom: Math.max(since, oldest?.startedAt ?? since),
  }
}

const startEvent = (run: BackupRun) => eventOf(run, 'begun', run.startedAt, {})

const endEvent = (run: BackupRun) =>
  eventOf(run, 'ended', run.finishedAt ?? run.startedAt, {
    status: run.status,
    error: run.error,
    size: run.size,
  })

function eventOf(
  run: BackupRun,
  what: 'begun' | 'ended',
  at: number,
  details: ServiceEvent['details'],
): ServiceEvent {
  const { id, kind, jobId, jobName, hostId, by } = run
  return {
    id: `${id}-${what}`,
    time: new Date(at).toISOString(),
    source: 'service',
    kind: `${kind}.${what}`,
    subject: { kind: 'backup-job', id: jobId, name: jobName },
    by,
    details: { run_id: id, ...details },
    hosts: [hostId],
    userId: null,
    isFor: (caller) => maySeeRun(run, caller),
  }
}
