import { deploysStacks, reachOf } from '../../access/reach.ts'
import { Failure } from '../../errors.ts'
import { judgeVolume, type VolumeUse } from '../../owners/judge-volume.ts'
import type { Needs } from '../../ports/ports.ts'
import type { Caller } from '../../records/account.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackedUpVolume } from '../../records/backup-source.ts'
import type { LoadPorts } from '../../stacks/load-project.ts'
import { findSources } from '../contents/find-sources.ts'
import {
  findVolume,
  type JudgedVolume,
  judgeVolumes,
  recordedOwner,
  refusalOf,
  type VolumePorts,
} from './job-volumes.ts'

export type ApprovePorts = VolumePorts & LoadPorts & Needs<'engines'>

/**
 * Returns the volumes that a job may back up because its caller has the right to, for its record.
 * Those of its own stacks, and those that a setting lists, are not among them: each run asks for
 * them.
 *
 * @param before the job before the change, for volumes that it had before the service asked for
 *   owners. Leave it out if the change sends them to another place
 * @throws 403 if the caller may not back up a volume, 409 for one of the installation; the message
 *   names the source
 */
export async function approveVolumes(
  job: BackupJob,
  caller: Caller,
  before: BackupJob | undefined,
  ports: ApprovePorts,
): Promise<BackedUpVolume[]> {
  const engine = await ports.engines.on(job.hostId)
  const place = { hostId: job.hostId, engine }
  const earlier = before?.hostId === job.hostId ? await earlierVolumes(before, ports) : []
  const rights = {
    reach: reachOf(caller),
    mayDeploy: deploysStacks(caller, ports),
    isHeld: (volume: BackedUpVolume) => findVolume(earlier, volume) !== undefined,
  }
  const judged = await judgeVolumes(await findSources(job, engine, ports), place, rights, ports)
  for (const { source, stack, verdict } of judged) {
    const taker = stack === null ? '' : `stack ${stack}: `
    const refusal = refusalOf(verdict, `body.sources[${source}]: ${taker}`)
    if (refusal) throw refusal
  }
  const stacks = new Set(job.sources.flatMap((one) => (one.kind === 'stack' ? [one.name] : [])))
  return judged
    .filter(({ owner, verdict }) => {
      const isOwn = owner.kind === 'stack' && !owner.isLeft && stacks.has(owner.stack)
      return !isOwn && verdict !== 'shared'
    })
    .map(({ name, owner, verdict }) => ({
      name,
      owner: recordedOwner(owner),
      ...(verdict === 'held' ? { isEarlier: true as const } : {}),
    }))
}

/** Returns the volumes that a job had before the service asked for owners. */
async function earlierVolumes(job: BackupJob, ports: ApprovePorts): Promise<BackedUpVolume[]> {
  if (job.volumes) return job.volumes.filter(({ isEarlier }) => isEarlier)
  const engine = await ports.engines.on(job.hostId)
  try {
    const rights = { reach: 'host' as const, mayDeploy: async () => true, isHeld: () => true }
    const sources = await findSources(job, engine, ports)
    return heldVolumes(await judgeVolumes(sources, { hostId: job.hostId, engine }, rights, ports))
  } catch (error) {
    // A job whose stack is gone has nothing to keep.
    if (error instanceof Failure && error.status === 404) return []
    throw error
  }
}

/** Returns the record of volumes that a job had before the service asked for owners. */
export const heldVolumes = (judged: readonly JudgedVolume[]): BackedUpVolume[] =>
  judged
    .filter(({ verdict }) => typeof verdict === 'string')
    .map(({ name, owner }) => ({ name, owner: recordedOwner(owner), isEarlier: true }))

/**
 * Checks that the caller has the rights to the recorded volumes of a job or a run. It asks the
 * records alone, so that a job whose host is gone can be deleted, and its runs restored elsewhere.
 *
 * @throws 403 if the caller may not use the data of one of them
 */
export async function requireVolumes(
  volumes: readonly BackedUpVolume[] = [],
  use: VolumeUse,
  caller: Pick<Caller, 'permissions'>,
  ports: Needs<'settings' | 'stacks'>,
): Promise<void> {
  const shared = (await ports.settings.get())['stacks.shared_volumes']
  const mayDeploy = deploysStacks(caller, ports, { evenIfGone: true })
  for (const { name, owner, isEarlier = false } of volumes) {
    const verdict = judgeVolume(name, use, {
      owner: owner === null ? { kind: 'foreign' } : { kind: 'stack', stack: owner },
      reach: reachOf(caller),
      mayUseOwner: owner !== null && (await mayDeploy(owner)),
      isHeld: isEarlier,
      isShared: shared.includes(name),
    })
    const refusal = refusalOf(verdict)
    if (refusal) throw refusal
  }
}
