import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackedUpVolume } from '../../records/backup-source.ts'
import type { FoundSource, FoundStack } from '../contents/backup-parts.ts'
import { heldVolumes } from './approve-volumes.ts'
import { changeJob } from './job-record.ts'
import {
  findVolume,
  type JudgedVolume,
  judgeVolumes,
  recordedOwner,
  refusalOf,
  type VolumePorts,
} from './job-volumes.ts'

type AllowedPorts = VolumePorts & Needs<'backupJobs'>

/** What a run may store: its sources, and whose the volumes in them are. */
export interface AllowedSources {
  sources: FoundSource[]
  volumes: BackedUpVolume[]
}

/**
 * Returns the sources of a run without the volumes that its job may not back up, because they
 * changed hands or came to a stack since the job was saved. A run has no caller, so the record of
 * its job decides. A job of a version that did not ask for owners keeps what this run finds.
 *
 * @throws 403 if a source is such a volume, 409 for one of the installation
 */
export async function allowedSources(
  job: BackupJob,
  sources: readonly FoundSource[],
  engine: Engine,
  ports: AllowedPorts,
): Promise<AllowedSources> {
  const rights = {
    reach: 'stack' as const,
    mayDeploy: async () => false,
    isHeld: (volume: BackedUpVolume) =>
      !job.volumes || findVolume(job.volumes, volume) !== undefined,
  }
  const judged = await judgeVolumes(sources, { hostId: job.hostId, engine }, rights, ports)
  for (const { stack, verdict } of judged) {
    const refusal = stack === null ? refusalOf(verdict) : undefined
    if (refusal) throw refusal
  }
  const kept = job.volumes ?? (await keepVolumes(job, judged, ports))
  const volumes = judged.filter(({ verdict }) => typeof verdict === 'string')
  return {
    sources: sources.map((source) =>
      source.kind === 'stack' ? withoutRefused(source, judged) : source,
    ),
    volumes: volumes.map(({ name, owner, verdict }) => {
      const volume = { name, owner: recordedOwner(owner) }
      return (verdict === 'held' && findVolume(kept, volume)) || volume
    }),
  }
}

/** Records what a job of an earlier version has. */
async function keepVolumes(
  job: BackupJob,
  judged: readonly JudgedVolume[],
  ports: AllowedPorts,
): Promise<BackedUpVolume[]> {
  const volumes = heldVolumes(judged.filter(({ verdict }) => verdict === 'held'))
  const keep = (now: BackupJob) => (now.volumes ? undefined : { volumes })
  await changeJob(job.id, keep, ports)
  return volumes
}

/** Returns a stack without the volumes that may not be stored. Its uses of them say why. */
function withoutRefused(stack: FoundStack, judged: readonly JudgedVolume[]): FoundStack {
  const reasons = new Map<string | undefined, string>()
  for (const one of judged) {
    if (one.stack === stack.name && typeof one.verdict !== 'string') {
      reasons.set(one.name, one.verdict.text)
    }
  }
  return {
    ...stack,
    volumes: stack.volumes.filter(({ name }) => !reasons.has(name)),
    uses: stack.uses.map((use) => ({ ...use, reason: reasons.get(use.volume) ?? use.reason })),
  }
}
