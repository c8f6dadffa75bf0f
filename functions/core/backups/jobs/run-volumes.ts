import type { BackupObject } from '../../records/backup-manifest.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import type { BackedUpVolume } from '../../records/backup-source.ts'

/**
 * Returns the volumes among objects of a backup, with their owners at the backup. A run of an
 * earlier version has no record of owners. A volume of it is its stack's, and one without a stack
 * that of others.
 */
export const volumesAmong = (
  objects: readonly Pick<BackupObject, 'kind' | 'source' | 'stack'>[],
  { volumes }: Pick<BackupRun, 'volumes'>,
): BackedUpVolume[] =>
  objects
    .filter(({ kind }) => kind === 'volume')
    .map(({ source: name, stack }) => {
      if (!volumes) return { name, owner: stack }
      return volumes.find((one) => one.name === name) ?? { name, owner: null }
    })
