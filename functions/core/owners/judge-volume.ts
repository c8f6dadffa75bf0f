import type { Reach } from '../../compose/project.ts'

/**
 * Whose a volume is: a stack's, the installation's, or that of others on the host. `isLeft`: the
 * stack was deleted, and one that has its name now does not own the volume.
 */
export type VolumeOwner =
  | { kind: 'stack'; stack: string; isLeft?: boolean }
  | { kind: 'installation' }
  | { kind: 'foreign' }

/** What is done with the data of a volume outside of the stack that mounts it. */
export type VolumeUse = 'backup' | 'restore'

/** The facts that decide whether the data of a volume may be used. */
export interface VolumeEvidence {
  owner: VolumeOwner
  reach: Reach
  /** The caller may read and deploy the owner, or the stack is a source of the same job. */
  mayUseOwner: boolean
  /** A record allows it: that of the job, whose last editor had the right. */
  isHeld: boolean
  /** The setting `stacks.shared_volumes` lists it. */
  isShared: boolean
}

/** What allows the use: a right of the caller, a record, or the setting. */
export type VolumeVerdict = 'granted' | 'held' | 'shared' | { status: 403 | 409; text: string }

/** Decides whether the data of a volume may be backed up, or read or replaced by a restore. */
export function judgeVolume(
  name: string,
  use: VolumeUse,
  { owner, reach, mayUseOwner, isHeld, isShared }: VolumeEvidence,
): VolumeVerdict {
  if (owner.kind === 'installation') {
    const text = `volume ${name}: it is a part of this service; ${insteadOf[use]}`
    return { status: 409, text }
  }
  if (reach === 'host' || (owner.kind === 'stack' && mayUseOwner)) return 'granted'
  if (isHeld) return 'held'
  if (isShared) return 'shared'
  const [whose, needed] =
    owner.kind === 'stack'
      ? ['it belongs to another stack', 'the permissions to read and deploy that stack, ']
      : ['no stack created it', '']
  return {
    status: 403,
    text: `volume ${name}: ${whose}: ${nameOf[use]} requires ${needed}stacks:privileged, or the setting stacks.shared_volumes`,
  }
}

/**
 * Returns whether a caller may use what belongs to a volume's owner.
 *
 * @param mayUse returns whether the caller may use what belongs to a stack
 */
export const mayUseOwner = async (
  owner: VolumeOwner,
  mayUse: (stack: string) => boolean | Promise<boolean>,
): Promise<boolean> => owner.kind === 'stack' && !owner.isLeft && (await mayUse(owner.stack))

const nameOf = {
  backup: 'backing it up',
  restore: 'restoring it',
} as const satisfies Record<VolumeUse, string>

const insteadOf = {
  backup: 'to save its data, make a job that backs up the system',
  restore: 'its data is restored from a system backup, by `npm run restore`',
} as const satisfies Record<VolumeUse, string>
