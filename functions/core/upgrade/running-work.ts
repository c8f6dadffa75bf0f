import { runOf } from '../leases/acquire-with-retry.ts'
import type { LeaseSnapshot } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import { runLease, startedRestores } from '../records/backup-run.ts'
import type { Host } from '../records/host.ts'
import type { StackRecord } from '../records/stack.ts'
import { isDeploymentLease, peekStackLease } from '../stacks/stack-lease.ts'

export const runningKinds = ['deployment', 'backup', 'restore'] as const

/** Work that an upgrade would interrupt. */
export interface RunningWork {
  kind: (typeof runningKinds)[number]
  id: string
  /** The name of the stack or the backup job; of a restore that begins, that of the host. */
  name: string
  hostId: string
}

export type RunningWorkPorts = Needs<
  'backupJobs' | 'backupRuns' | 'deployments' | 'hosts' | 'leases' | 'stacks'
>

/**
 * Returns what runs in all processes, even if its process died: another one resumes it. Work that
 * begins has its lease before its record, so both count: while the service is paused, nothing is
 * missing. A run that only waits for its host, to tidy up there, does not count.
 */
export async function runningWork(ports: RunningWorkPorts): Promise<RunningWork[]> {
  const recorded = await recordedWork(ports)
  return [...recorded, ...(await beginningWork(recorded, ports))]
}

async function recordedWork({
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
    ...runs
      .filter(({ status }) => status === 'running')
      .map(({ id, kind, jobName, hostId }) => ({ kind, id, name: jobName, hostId })),
  ]
}

/** Returns the work whose lease is held and that is not among the recorded work. */
async function beginningWork(
  recorded: readonly RunningWork[],
  ports: RunningWorkPorts,
): Promise<RunningWork[]> {
  const [stacks, jobs, hosts] = await Promise.all([
    ports.stacks.list(),
    ports.backupJobs.list(),
    ports.hosts.list(),
  ])
  const looks = [
    ...stacks.map((stack) => beginningDeployment(stack, ports)),
    ...jobs.map((job) => beginningBackup(job, ports)),
    ...hosts.map((host) => beginningRestore(host, ports)),
  ]
  const found = (await Promise.all(looks)).flatMap((work) => work ?? [])
  const known = new Set(recorded.map(({ id }) => id))
  return found.filter(({ id }) => !known.has(id))
}

async function beginningDeployment(
  { id: name, hostId }: StackRecord,
  ports: RunningWorkPorts,
): Promise<RunningWork | undefined> {
  const seen = await peekStackLease(name, ports)
  if (!seen.held || !isDeploymentLease(seen)) return undefined
  const id = heldBy(seen)
  const deployment = await ports.deployments.find(name, id)
  // One that has ended releases its lease in a moment.
  if (deployment && deployment.status !== 'running') return undefined
  return { kind: 'deployment', id, name, hostId }
}

async function beginningBackup(
  { id: jobId, name, hostId }: BackupJob,
  ports: RunningWorkPorts,
): Promise<RunningWork | undefined> {
  const seen = await ports.leases.peek(runLease({ id: '', kind: 'backup', jobId }))
  if (!seen.held) return undefined
  const id = heldBy(seen)
  const run = await ports.backupRuns.find(id)
  if (run && run.status !== 'running') return undefined
  return { kind: 'backup', id, name, hostId }
}

/** The lease of a restore has its own ID, so only that of its start says that one begins. */
async function beginningRestore(
  { id: hostId, name }: Host,
  ports: RunningWorkPorts,
): Promise<RunningWork | undefined> {
  const seen = await ports.leases.peek(startedRestores(hostId))
  return seen.held ? { kind: 'restore', id: heldBy(seen), name, hostId } : undefined
}

const heldBy = ({ holder }: LeaseSnapshot) => runOf(holder ?? '')
