import type { BackupRun, RestoreJournal } from '../../records/backup-run.ts'

/** Returns the journal of a restore; an empty one if nothing was changed yet. */
export const journalOf = ({ journal }: BackupRun): RestoreJournal => ({
  phase: 'filling',
  made: [],
  moved: [],
  ...journal,
})

/** Returns text that names the volumes with the previous data. */
export function keptNames({ journal }: BackupRun): string {
  const kept = keptVolumes({ journal })
  return kept.length === 0 ? '' : `; the previous data is in the volumes ${kept.join(', ')}`
}

/** Returns the volumes with whole copies of the previous data. */
export const keptVolumes = ({ journal }: Pick<BackupRun, 'journal'>): string[] =>
  (journal?.moved ?? []).flatMap(({ isWhole, aside }) => (isWhole && aside) || [])

/** Returns the warning that names the volumes with what was written since an update. */
export function keptWarning(run: Pick<BackupRun, 'journal' | 'undoes'>): string[] {
  const kept = keptVolumes(run)
  if (!run.undoes || kept.length === 0) return []
  return [`what was written since the update is kept in the volumes ${kept.join(', ')}`]
}
