import type { Reach } from '../../../compose/project.ts'
import { conflict, type Failure, refusedByPolicy } from '../../errors.ts'
import {
  judgeVolume,
  mayUseOwner,
  type VolumeOwner,
  type VolumeVerdict,
} from '../../owners/judge-volume.ts'
import { findVolumeOwners, type VolumeOwnerPorts } from '../../owners/volume-owner.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackedUpVolume } from '../../records/backup-source.ts'
import type { FoundSource } from '../contents/backup-parts.ts'

export type VolumePorts = VolumeOwnerPorts & Needs<'settings'>

/** What allows volumes to be backed up. */
export interface VolumeRights {
  reach: Reach
  /** Returns whether the caller may read and deploy a stack. */
  mayDeploy(stack: string): Promise<boolean>
  /** Returns whether a record allows the volume. */
  isHeld(volume: BackedUpVolume): boolean
}

/** A volume that a source of a job takes into the backup. */
export interface JudgedVolume {
  /** The index of the source. */
  source: number
  /** The stack that takes it along; null for a volume that is a source itself. */
  stack: string | null
  name: string
  owner: VolumeOwner
  verdict: VolumeVerdict
}

/**
 * Returns every volume of the sources with what allows or forbids to back it up. A stack that is a
 * source takes its own volumes; all others are asked for, whichever source they come with.
 */
export async function judgeVolumes(
  sources: readonly FoundSource[],
  { hostId, engine }: { hostId: string; engine: Engine },
  rights: VolumeRights,
  ports: VolumePorts,
): Promise<JudgedVolume[]> {
  const taken = sources.flatMap(volumesOf)
  const owners = await findVolumeOwners(
    [...new Set(taken.map(({ name }) => name))],
    hostId,
    engine,
    ports,
  )
  const stacks = new Set(sources.flatMap((one) => (one.kind === 'stack' ? [one.name] : [])))
  const shared = (await ports.settings.get())['stacks.shared_volumes']
  const judged = taken.map(async (volume) => {
    const { owner } = owners.get(volume.name) ?? { owner: { kind: 'foreign' as const } }
    const mayUse = async (stack: string) => stacks.has(stack) || (await rights.mayDeploy(stack))
    const verdict = judgeVolume(volume.name, 'backup', {
      owner,
      reach: rights.reach,
      mayUseOwner: await mayUseOwner(owner, mayUse),
      isHeld: rights.isHeld({ name: volume.name, owner: recordedOwner(owner) }),
      isShared: shared.includes(volume.name),
    })
    return { ...volume, owner, verdict }
  })
  return Promise.all(judged)
}

type TakenVolume = Pick<JudgedVolume, 'source' | 'stack' | 'name'>

function volumesOf(source: FoundSource, index: number): TakenVolume[] {
  if (source.kind === 'system') return []
  if (source.kind === 'volume') return [{ source: index, stack: null, name: source.name }]
  return source.volumes.map(({ name }) => ({ source: index, stack: source.name, name }))
}

/** Returns the owner of a volume as records of jobs and runs have it. */
export const recordedOwner = (owner: VolumeOwner) => (owner.kind === 'stack' ? owner.stack : null)

/** Returns the failure for a volume that may not be used, or undefined. */
export function refusalOf(verdict: VolumeVerdict, place = ''): Failure | undefined {
  if (typeof verdict === 'string') return undefined
  const text = `${place}${verdict.text}`
  return verdict.status === 403
    ? refusedByPolicy(text)
    : conflict(text, { reason: 'own-installation' })
}

/** Returns the record of a volume, if there is one with the same owner. */
export const findVolume = (
  volumes: readonly BackedUpVolume[],
  { name, owner }: BackedUpVolume,
): BackedUpVolume | undefined => volumes.find((one) => one.name === name && one.owner === owner)
