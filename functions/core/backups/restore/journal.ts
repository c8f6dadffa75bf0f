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
  const kept = (journal?.moved ?? []).flatMap(({ isWhole, aside }) => (isWhole && aside) || [])
  return kept.length === 0 ? '' : `; the previous data is in the volumes ${kept.join(', ')}`
}
